// The calls of the Sessions page, over stdio, with the example agent. See sessions_page.test.ts for
// where the page and the schema differ.
import assert from "node:assert/strict";
import { test } from "node:test";
import { v1 } from "../index.js";
import { StdioPeer } from "./stdio.js";

const COMMAND = JSON.parse(process.env.ACP_AGENT ?? "[]") as string[];

class Screen implements v1.Client {
  readonly updates: v1.SessionUpdate[] = [];

  sessionUpdate({ update }: v1.SessionNotification): void {
    this.updates.push(update);
  }

  take(kind: string): v1.SessionUpdate[] {
    return this.updates.splice(0).filter((one) => one.sessionUpdate === kind);
  }
}

const text = (words: string): v1.ContentBlock => ({
  type: "text",
  text: words,
});

test(
  "the Sessions page with the example agent",
  { timeout: 60_000 },
  async (t) => {
    const screen = new Screen();
    const peer = new StdioPeer(COMMAND, new v1.ClientDispatcher(screen));
    t.after(() => {
      peer.kill();
    });
    const agent = new v1.ClientSideConnection(peer);
    await agent.initialize({ protocolVersion: 1 });
    assert.ok(agent.supports("session/load"));
    assert.ok(agent.supports("session/archive"));

    const cwd = "/path/to/project";
    const session = await agent.newSession({ cwd, mcpServers: [] });
    const { sessionId } = session;
    assert.ok(session.modes && session.modes.availableModes.length > 1);

    const done = await agent.prompt({ sessionId, prompt: [text("Help me")] });
    assert.equal(done.stopReason, "end_turn");
    assert.ok(screen.take("agent_message_chunk").length > 0);

    const other = session.modes.availableModes.find(
      (mode) => mode.id !== session.modes?.currentModeId,
    );
    assert.ok(other);
    await agent.setSessionMode({ sessionId, modeId: other.id });
    const configId = session.configOptions?.[0]?.id ?? "";
    const value = session.modes.currentModeId;
    const options = await agent.setSessionConfigOption({
      sessionId,
      configId,
      value,
    });
    assert.ok(options.configOptions.length > 0);

    screen.updates.length = 0;
    await agent.loadSession({ sessionId, cwd, mcpServers: [] });
    assert.ok(screen.take("user_message_chunk").length > 0);
    await agent.resumeSession({ sessionId, cwd, mcpServers: [] });

    for (let count = 0; count < 4; count += 1) {
      await agent.newSession({ cwd, mcpServers: [] });
    }
    const walk = async (archived: boolean): Promise<v1.SessionInfo[]> => {
      const found: v1.SessionInfo[] = [];
      let cursor: string | null = null;
      do {
        const page: v1.ListSessionsResponse = await agent.listSessions({
          cwd,
          cursor,
          archived,
        });
        found.push(...page.sessions);
        cursor = page.nextCursor ?? null;
      } while (cursor !== null);
      return found;
    };
    assert.equal((await walk(false)).length, 5);
    await agent.unstable_archiveSession({ sessionId });
    const marked = (await walk(true)).filter((one) => one.archived === true);
    assert.deepEqual(
      marked.map((one) => one.sessionId),
      [sessionId],
    );
    assert.equal((await walk(false)).length, 4);
    await agent.unstable_unarchiveSession({ sessionId });
    assert.equal((await walk(false)).length, 5);

    const long = agent.prompt({
      sessionId,
      prompt: [text("word ".repeat(400))],
    });
    await agent.cancel({ sessionId });
    assert.equal((await long).stopReason, "cancelled");

    await assert.rejects(
      agent.unstable_archiveSession({ sessionId: "nobody" }),
      v1.ResourceNotFoundError,
    );
    assert.equal(await peer.close(), 0);
  },
);
