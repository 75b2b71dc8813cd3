// The calls of the Sessions page of the TypeScript SDK, against generated stubs. Where the page and
// the newest schema differ, the schema wins and a comment says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { v1 } from "../index.js";
import { over } from "./peers.js";

const MODES: v1.SessionModeState = {
  currentModeId: "code",
  availableModes: [
    { id: "code", name: "Code" },
    { id: "ask", name: "Ask" },
  ],
};

interface State {
  info: v1.SessionInfo;
  said: v1.ContentBlock[];
}

class MyAgent implements v1.Agent {
  readonly #sessions = new Map<string, State>();
  readonly #cancelled = new Set<string>();
  client: v1.AgentSideConnection | undefined;
  #last = 0;

  initialize(): v1.InitializeResponse {
    const sessionCapabilities = { list: {}, resume: {}, archive: {} };
    const agentCapabilities = { loadSession: true, sessionCapabilities };
    return { protocolVersion: 1, agentCapabilities };
  }

  newSession(params: v1.NewSessionRequest): v1.NewSessionResponse {
    this.#last += 1;
    const sessionId = `session-${String(this.#last)}`;
    const info: v1.SessionInfo = { sessionId, cwd: params.cwd, title: null };
    this.#sessions.set(sessionId, { info, said: [] });
    return { sessionId, modes: MODES };
  }

  async loadSession(
    params: v1.LoadSessionRequest,
  ): Promise<v1.LoadSessionResponse> {
    for (const content of this.#state(params.sessionId).said) {
      const update = { sessionUpdate: "user_message_chunk", content } as const;
      const { sessionId } = params;
      await this.client?.sessionUpdate({ sessionId, update });
    }
    return { modes: MODES };
  }

  resumeSession(params: v1.ResumeSessionRequest): v1.ResumeSessionResponse {
    this.#state(params.sessionId);
    return {};
  }

  listSessions(params: v1.ListSessionsRequest): v1.ListSessionsResponse {
    const all = [...this.#sessions.values()]
      .map((state) => state.info)
      .filter((info) => params.archived === true || info.archived !== true)
      .filter((info) => [null, undefined, info.cwd].includes(params.cwd));
    const start = Number(params.cursor ?? 0);
    const nextCursor = start + 1 < all.length ? String(start + 1) : null;
    return { sessions: all.slice(start, start + 1), nextCursor };
  }

  async setSessionMode(
    params: v1.SetSessionModeRequest,
  ): Promise<v1.SetSessionModeResponse> {
    const { sessionId, modeId: currentModeId } = params;
    const update = {
      sessionUpdate: "current_mode_update",
      currentModeId,
    } as const;
    await this.client?.sessionUpdate({ sessionId, update });
    return {};
  }

  setSessionConfigOption(
    params: v1.SetSessionConfigOptionRequest,
  ): v1.SetSessionConfigOptionResponse {
    const options = [
      { value: "low", name: "Low" },
      { value: "high", name: "High" },
    ];
    const { configId: id } = params;
    const currentValue = String(params.value);
    return {
      configOptions: [
        { type: "select", id, name: "Temperature", currentValue, options },
      ],
    };
  }

  async prompt(params: v1.PromptRequest): Promise<v1.PromptResponse> {
    const { sessionId } = params;
    const state = this.#state(sessionId);
    state.said.push(...params.prompt);
    const content = { type: "text", text: "Looking." } as const;
    const update = { sessionUpdate: "agent_message_chunk", content } as const;
    await this.client?.sessionUpdate({ sessionId, update });
    const stopReason = this.#cancelled.has(sessionId)
      ? "cancelled"
      : "end_turn";
    return { stopReason };
  }

  cancel(params: v1.CancelNotification): void {
    this.#cancelled.add(params.sessionId);
  }

  unstable_archiveSession(
    params: v1.ArchiveSessionRequest,
  ): v1.ArchiveSessionResponse {
    this.#state(params.sessionId).info.archived = true;
    return {};
  }

  unstable_unarchiveSession(
    params: v1.UnarchiveSessionRequest,
  ): v1.UnarchiveSessionResponse {
    this.#state(params.sessionId).info.archived = false;
    return {};
  }

  #state(sessionId: string): State {
    const found = this.#sessions.get(sessionId);
    if (found === undefined) {
      // The page: RequestError.invalidParams. Here an error of the protocol is its own class.
      throw new v1.InvalidParamsError("Session not found", { sessionId });
    }
    return found;
  }
}

class MyClient implements v1.Client {
  readonly seen: string[] = [];

  // The page looks for params.content, toolCallUpdate and currentModeUpdate. The schema has one
  // tagged union under params.update.
  sessionUpdate({ update }: v1.SessionNotification): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "user_message_chunk": {
        const { content } = update;
        const text = content.type === "text" ? content.text : content.type;
        this.seen.push(`${update.sessionUpdate}: ${text}`);
        break;
      }
      case "current_mode_update":
        this.seen.push(`mode: ${update.currentModeId}`);
        break;
      default:
        this.seen.push(update.sessionUpdate);
    }
  }
}

async function connected(): Promise<{
  agent: v1.ClientSideConnection;
  client: MyClient;
}> {
  const mine = new MyAgent();
  const client = new MyClient();
  mine.client = new v1.AgentSideConnection(
    over(new v1.ClientDispatcher(client)),
  );
  const agent = new v1.ClientSideConnection(over(new v1.AgentDispatcher(mine)));
  await agent.initialize({ protocolVersion: 1 });
  return { agent, client };
}

// The page writes type: "stdio", and no name or env. In the schema stdio is the variant without a
// type, and name and env are required.
const SERVER: v1.McpServer = {
  name: "files",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"],
  env: [],
};

test("new, load, resume", async () => {
  const { agent, client } = await connected();
  const cwd = "/path/to/project";
  const session = await agent.newSession({ cwd, mcpServers: [SERVER] });
  // The page: session.availableModes; now within session.modes.
  assert.deepEqual(session.modes?.availableModes[0], {
    id: "code",
    name: "Code",
  });
  const { sessionId } = session;
  const block = {
    type: "text",
    text: "Help me fix the bug in utils.ts",
  } as const;
  await agent.prompt({ sessionId, prompt: [block] });
  client.seen.length = 0;
  // The page gives no cwd, which load and resume require now.
  await agent.loadSession({ sessionId, cwd, mcpServers: [] });
  assert.deepEqual(client.seen, [`user_message_chunk: ${block.text}`]);
  // The page: unstable_resumeSession. It is part of the schema now.
  await agent.resumeSession({ sessionId, cwd, mcpServers: [] });
  assert.equal(client.seen.length, 1);
  await assert.rejects(
    agent.loadSession({ sessionId: "nobody", cwd, mcpServers: [] }),
    v1.InvalidParamsError,
  );
});

test("list with pagination, and archive", async () => {
  const { agent } = await connected();
  const cwd = "/path/to/project";
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await agent.newSession({ cwd, mcpServers: [] })).sessionId);
  }
  const walk = async (archived?: boolean): Promise<string[]> => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      // The page: unstable_listSessions, and response.cursor; now listSessions and nextCursor.
      const page: v1.ListSessionsResponse = await agent.listSessions({
        cwd,
        cursor,
        ...(archived === undefined ? {} : { archived }),
      });
      // The page: session.lastUpdateTime; now updatedAt.
      found.push(...page.sessions.map((session) => session.sessionId));
      cursor = page.nextCursor ?? null;
    } while (cursor !== null);
    return found;
  };
  assert.deepEqual(await walk(), ids);
  const [first = ""] = ids;
  await agent.unstable_archiveSession({ sessionId: first });
  assert.deepEqual(await walk(), ids.slice(1));
  assert.deepEqual(await walk(true), ids);
  await agent.unstable_unarchiveSession({ sessionId: first });
  assert.deepEqual(await walk(), ids);
});

test("mode, config option, prompt, updates, cancel", async () => {
  const { agent, client } = await connected();
  const { sessionId } = await agent.newSession({
    cwd: "/p",
    mcpServers: [SERVER],
  });
  // The page: mode; now modeId.
  await agent.setSessionMode({ sessionId, modeId: "code" });
  // The page: optionId and valueId; now configId and value.
  const response = await agent.setSessionConfigOption({
    sessionId,
    configId: "temperature",
    value: "high",
  });
  const [option] = response.configOptions;
  assert.equal(option?.type === "select" && option.currentValue, "high");
  // The page: messages with a role; now prompt, a list of content blocks.
  const block = { type: "text", text: "Hi" } as const;
  const done = await agent.prompt({ sessionId, prompt: [block] });
  // The page: "endTurn"; now "end_turn".
  assert.equal(done.stopReason, "end_turn");
  assert.deepEqual(client.seen, [
    "mode: code",
    "agent_message_chunk: Looking.",
  ]);
  await agent.cancel({ sessionId });
  const after = await agent.prompt({ sessionId, prompt: [block] });
  assert.equal(after.stopReason, "cancelled");
});
