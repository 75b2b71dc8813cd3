// An agent on the TypeScript SDK, protocol v2: node agent_v2.mjs ENTRY

import { cancelled, pause, serveSessions, Sessions, wantedError } from "./agent_common.mjs";
import { load, ownStream } from "./common.mjs";

const acp = await load(process.argv[2]);
const { session: calls } = acp.methods.agent;
const { session: back } = acp.methods.client;
const sessions = new Sessions(acp);

const PERMISSION = {
  title: "Water the plants?",
  subject: { type: "command", command: "water plants", cwd: "/garden" },
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_always" },
  ],
  _meta: { why: ["dry"] },
};

const text = (words) => ({ type: "text", text: words });
const state = (name, more) => ({ sessionUpdate: "state_update", state: name, ...more });

/** The updates that a prompt is answered with. */
async function* turn(words, client, sessionId) {
  const say = (words) => ({
    sessionUpdate: "agent_message_chunk",
    messageId: "m1",
    content: text(words),
  });
  yield state("running");
  if (words === "may I") {
    yield state("requires_action");
    const answer = await client.request(back.requestPermission, { sessionId, ...PERMISSION });
    yield state("running");
    yield say(JSON.stringify(answer));
  } else if (words === "endless") {
    for (;;) {
      yield say("on and ");
      await pause();
    }
  } else {
    yield {
      sessionUpdate: "agent_thought",
      messageId: "m0",
      content: [text("hm")],
      _meta: { deep: { n: [1, null] } },
    };
    yield { sessionUpdate: "tool_call_update", toolCallId: "c0", title: "Look", kind: "read" };
    yield { sessionUpdate: "tool_call_update", toolCallId: "c0", status: "completed" };
    const entries = [{ content: "Water", priority: "high", status: "in_progress" }];
    yield { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } };
    for (const word of words.split(" ")) yield say(word);
  }
}

const app = acp
  .agent({ name: "interop" })
  .onRequest("initialize", ({ params }) => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    info: { name: "interop", version: "1" },
    capabilities: { session: { prompt: {}, delete: {}, archive: {} } },
    _meta: params._meta,
  }))
  .onRequest(calls.new, ({ params }) => ({ sessionId: sessions.create(params.cwd).sessionId }))
  .onRequest(calls.resume, async ({ params, client }) => {
    const { sessionId, history } = sessions.find(params);
    const replayed = params.replayFrom ? history : [];
    for (const update of [...replayed, state("idle")]) {
      await client.notify(back.update, { sessionId, update });
    }
    return {};
  })
  // Unlike v1, v2 does not let an agent read a built-in method with a parser of its own.
  .onRequest(calls.list, ({ params }) => sessions.page(params))
  .onRequest(calls.prompt, async ({ params, client, signal }) => {
    const session = sessions.find(params);
    const { sessionId } = session;
    const words = params.prompt[0].text;
    const error = wantedError(acp, words);
    if (error) throw error;
    if (words === "never") {
      await client.notify("_interop/waiting");
      await cancelled(session, signal);
      await client.notify("_interop/withdrawn", { sessionId });
      throw acp.RequestError.requestCancelled();
    }
    const messageId = `u${session.history.length}`;
    const user = { sessionUpdate: "user_message", messageId, content: params.prompt };
    session.history.push(user);
    await client.notify(back.update, { sessionId, update: user });
    let how;
    void cancelled(session).then((which) => (how = which));
    // The answer says that the prompt is in the conversation; the turn goes on after it.
    setTimeout(async () => {
      for await (const update of turn(words, client, sessionId)) {
        if (update.messageId) session.history.push(update);
        await client.notify(back.update, { sessionId, update });
        if (how) break;
      }
      const stopReason = how ? "cancelled" : "end_turn";
      await client.notify(back.update, { sessionId, update: state("idle", { stopReason }) });
    }, 0);
    return { messageId, _meta: params._meta };
  });
serveSessions(acp, app, sessions);
app.connect(ownStream(acp));
