import assert from "node:assert/strict";
import { test } from "node:test";
import { v1, v2 } from "../index.js";
import { over } from "./peers.js";

class Archive implements v1.Agent {
  archived: string[] = [];

  initialize(): v1.InitializeResponse {
    const sessionCapabilities = { list: {}, archive: {} };
    return { protocolVersion: 1, agentCapabilities: { sessionCapabilities } };
  }

  unstable_archiveSession(
    params: v1.ArchiveSessionRequest,
  ): v1.ArchiveSessionResponse {
    if (params.sessionId === "gone") {
      throw new v1.ResourceNotFoundError("no such session", { id: "gone" });
    }
    if (params.sessionId === "crash") {
      throw new TypeError("a fault");
    }
    this.archived.push(params.sessionId);
    return {};
  }

  extMethod(method: string): unknown {
    return { method };
  }
}

const INITIALIZE: v1.InitializeRequest = { protocolVersion: 1 };

function connected(options: v1.ConnectionOptions = {}): {
  agent: v1.ClientSideConnection;
  archive: Archive;
} {
  const archive = new Archive();
  const peer = over(new v1.AgentDispatcher(archive));
  return { agent: new v1.ClientSideConnection(peer, options), archive };
}

const code = (wanted: number) => (error: unknown) =>
  error instanceof v1.RpcError && error.code === wanted;

test("calls go through both stubs", async () => {
  const { agent, archive } = connected();
  await agent.initialize(INITIALIZE);
  assert.deepEqual(await agent.unstable_archiveSession({ sessionId: "s" }), {});
  assert.deepEqual(archive.archived, ["s"]);
  assert.deepEqual(await agent.extMethod("_x"), { method: "_x" });
});

test("a call needs the capability that gates it", async () => {
  const { agent, archive } = connected();
  assert.equal(agent.supports("session/archive"), false);
  await assert.rejects(agent.unstable_archiveSession({ sessionId: "s" }), {
    name: "CapabilityError",
    method: "session/archive",
    capability: "agentCapabilities.sessionCapabilities.archive",
  });
  assert.deepEqual(archive.archived, []);
  await agent.initialize(INITIALIZE);
  assert.equal(agent.supports("session/archive"), true);
  assert.equal(agent.supports("session/prompt", "prompt", "image"), false);
  const image = { type: "image", data: "", mimeType: "a/b" } as const;
  await assert.rejects(
    agent.prompt({ sessionId: "s", prompt: [image] }),
    v1.CapabilityError,
  );
  assert.throws(() => agent.supports("no/such"), TypeError);
  const free = connected({ gated: false });
  await free.agent.unstable_archiveSession({ sessionId: "t" });
  assert.deepEqual(free.archive.archived, ["t"]);
});

test("a dispatcher tells its connection what the other side announces", async () => {
  const client = new v1.AgentSideConnection(over(new v1.ClientDispatcher({})));
  const dispatcher = new v1.AgentDispatcher(new Archive(), client);
  assert.equal(client.supports("fs/read_text_file"), false);
  const clientCapabilities = { fs: { readTextFile: true } };
  await dispatcher.request("initialize", { ...INITIALIZE, clientCapabilities });
  assert.equal(client.supports("fs/read_text_file"), true);
  assert.equal(client.supports("fs/write_text_file"), false);
});

test("errors have the codes of JSON-RPC", async () => {
  const dispatcher = new v1.AgentDispatcher(new Archive());
  const send = (method: string, params?: unknown): Promise<unknown> =>
    dispatcher.request(method, params);
  await assert.rejects(send("session/new", {}), code(v1.METHOD_NOT_FOUND));
  await assert.rejects(send("no/such"), code(v1.METHOD_NOT_FOUND));
  await assert.rejects(send("session/archive", {}), code(v1.INVALID_PARAMS));
  const crash = { sessionId: "crash" };
  await assert.rejects(send("session/archive", crash), code(v1.INTERNAL_ERROR));
  const { agent } = connected({ gated: false });
  await assert.rejects(
    agent.unstable_archiveSession({ sessionId: "gone" }),
    v1.ResourceNotFoundError,
  );
  await dispatcher.notify("no/such");
});

test("tables have the methods of each side", () => {
  assert.equal(v1.AGENT_METHODS["session/new"].name, "newSession");
  assert.equal(v1.AGENT_METHODS["session/load"].name, "loadSession");
  assert.equal(v1.AGENT_METHODS["session/list"].name, "listSessions");
  assert.equal(v1.AGENT_METHODS["session/set_mode"].name, "setSessionMode");
  assert.equal(v1.CLIENT_METHODS["session/update"].name, "sessionUpdate");
  for (const version of [v1, v2]) {
    const { "session/archive": archive, "session/unarchive": unarchive } =
      version.AGENT_METHODS;
    assert.equal(archive.name, "unstable_archiveSession");
    assert.equal(unarchive.name, "unstable_unarchiveSession");
    assert.equal(archive.feature, "unstable_session_archive");
  }
});

test("the records of methods make calls without the class", async () => {
  const peer = over(new v1.AgentDispatcher(new Archive()));
  const agent = new v1.Connection(peer);
  const answer = await agent.request(v1.agentInitialize, INITIALIZE);
  assert.equal(answer.protocolVersion, 1);
});
