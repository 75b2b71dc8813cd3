// A connection between the versions, as a program that stands between two peers has it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "../index.js";

const { SessionBridge } = convert;
type Options = ConstructorParameters<typeof SessionBridge>[0];
type Message = Record<string, unknown>;

const SILENT = {
  toClient: [],
  toAgent: [],
  dropped: [],
  absorbed: [],
  losses: [],
};

function bridge(client: "v1" | "v2", more: Partial<Options> = {}) {
  let count = 0;
  const ids = (): string => `m${String((count += 1))}`;
  const agent = client === "v1" ? "v2" : "v1";
  return new SessionBridge({ client, agent, ids, ...more });
}

const request = (id: unknown, method: string, params: Message): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

const update = (params: Message): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: params },
});

const text = (words: string): Message => ({ type: "text", text: words });

const prompt = (id: unknown, sessionId = "s"): Message =>
  request(id, "session/prompt", { sessionId, prompt: [text("Go")] });

test("a new client and an old agent have a turn", () => {
  const between = bridge("v2");
  const said = between.fromClient(prompt(1));
  assert.deepEqual(said, { ...SILENT, toAgent: [prompt(1)] });

  const chunk = { sessionUpdate: "agent_message_chunk", content: text("Hi") };
  const user = {
    sessionUpdate: "user_message",
    messageId: "m1",
    content: [text("Go")],
  };
  assert.deepEqual(between.fromAgent(update(chunk)), {
    ...SILENT,
    toClient: [
      { jsonrpc: "2.0", id: 1, result: { messageId: "m1" } },
      update(user),
      update({ sessionUpdate: "state_update", state: "running" }),
      update({ ...chunk, messageId: "m2" }),
    ],
  });

  const result = { stopReason: "end_turn" };
  assert.deepEqual(between.fromAgent({ jsonrpc: "2.0", id: 1, result }), {
    ...SILENT,
    toClient: [
      update({ sessionUpdate: "state_update", state: "idle", ...result }),
    ],
  });
});

test("an old client and a new agent have a turn", () => {
  const between = bridge("v1");
  between.fromClient(prompt("p"));
  const result = { messageId: "u" };
  const taken = between.fromAgent({ jsonrpc: "2.0", id: "p", result });
  assert.deepEqual(taken.toClient, []);
  assert.deepEqual(taken.absorbed, [
    { path: "/result", reason: "the prompt is answered when its turn ends" },
  ]);
  const idle = { state: "idle", stopReason: "end_turn" };
  const ended = between.fromAgent(
    update({ sessionUpdate: "state_update", ...idle }),
  );
  assert.deepEqual(ended.toClient, [
    { jsonrpc: "2.0", id: "p", result: { stopReason: "end_turn" } },
  ]);
});

test("what cannot be carried over is answered with an error, or given up in lossy mode", () => {
  const list = request(1, "session/list", { more: 1 });
  const [answer] = bridge("v1").fromClient(list).toClient;
  const { faults } = (answer?.error as { data: { faults: unknown } }).data;
  const reason = "neither version declares this member";
  assert.deepEqual(faults, [{ path: "/params/more", reason }]);

  const found = bridge("v1", { lossy: true }).fromClient(list);
  assert.deepEqual(found.toAgent, [request(1, "session/list", {})]);
  const lost = { path: "/params/more", reason, action: "removed" };
  assert.deepEqual(found.losses, [lost]);
});

test("one id may be 1, 1n and not the string", () => {
  const between = bridge("v2");
  between.fromClient(request(1n, "_x", {}));
  const [second] = between.fromClient(request(1, "_x", {})).toAgent;
  assert.equal(second?.id, "1'");
  const [third] = between.fromClient(request("1", "_x", {})).toAgent;
  assert.equal(third?.id, "1");
  const [answer] = between.fromAgent({ id: 1, result: {} }).toClient;
  assert.equal(answer?.id, 1n);
});

test("names of JavaScript's own objects are names like others", () => {
  const between = bridge("v2", { limits: { sessions: 2 } });
  for (const name of ["__proto__", "constructor"]) {
    assert.equal(between.fromClient(prompt(name, name)).toAgent.length, 1);
  }
  const [refused] = between.fromClient(prompt(3, "toString")).toClient;
  assert.match(JSON.stringify(refused), /too many sessions are busy/);
  const method = "hasOwnProperty";
  assert.equal(between.fromClient(request(4, method, {})).toClient[0]?.id, 4);
});

test("no nesting makes it throw", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) {
    deep = [deep];
  }
  const own = bridge("v1").fromClient(request(1, "_x", { deep }));
  assert.equal(own.toClient.length + own.toAgent.length, 1);
  const notice = update({ sessionUpdate: "notice", text: deep });
  assert.equal(bridge("v1").fromAgent(notice).dropped.length, 1);

  const long = prompt(1);
  Object.assign(long.params as Message, { prompt: [text("Go"), deep] });
  assert.equal(bridge("v2").fromClient(long).toClient.length, 1);
  const between = bridge("v1");
  between.fromClient(prompt(1));
  between.fromAgent({ id: 1, result: { messageId: "u" } });
  const stop = { state: "idle", stopReason: "end_turn", _meta: { deep } };
  const ended = between.fromAgent(
    update({ sessionUpdate: "state_update", ...stop }),
  );
  assert.equal(ended.toClient.length, 1);
});

test("options that cannot be are refused", () => {
  const same = { client: "v1", agent: "v1" } as const;
  assert.throws(() => new SessionBridge(same), {
    name: "RangeError",
    message: "one side must speak v1 and the other one v2",
  });
  assert.throws(() => bridge("v1", { limits: { ids: 0 } }), {
    name: "RangeError",
    message: "a limit must be at least 1",
  });
});

test("message ids are random UUIDs, and must be given where the platform has none", () => {
  const versions = { client: "v2", agent: "v1" } as const;
  const between = new SessionBridge(versions);
  between.fromClient(prompt(1));
  const chunk = { sessionUpdate: "agent_message_chunk", content: text("Hi") };
  const [answer] = between.fromAgent(update(chunk)).toClient;
  const { messageId } = answer?.result as { messageId: string };
  assert.match(messageId, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

  const crypto = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  assert.ok(crypto);
  Object.defineProperty(globalThis, "crypto", {
    value: undefined,
    configurable: true,
  });
  try {
    assert.throws(() => new SessionBridge(versions), /give the option ids/);
    assert.ok(bridge("v2"));
    assert.ok(new SessionBridge({ client: "v1", agent: "v2" }));
  } finally {
    Object.defineProperty(globalThis, "crypto", crypto);
  }
});
