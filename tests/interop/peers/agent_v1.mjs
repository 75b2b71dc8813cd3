// An agent on the TypeScript SDK, protocol v1: node agent_v1.mjs ENTRY

import { cancelled, pause, serveSessions, Sessions, wantedError } from "./agent_common.mjs";
import { load, ownStream, raw } from "./common.mjs";

const acp = await load(process.argv[2]);
const { session: calls } = acp.methods.agent;
const { session: back, fs } = acp.methods.client;
const sessions = new Sessions(acp);

const PERMISSION = {
  toolCall: { toolCallId: "c1", title: "Water the plants", kind: "edit", status: "pending" },
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_always" },
  ],
  _meta: { why: ["dry"] },
};

/** The updates that a prompt is answered with. */
async function* turn(words, { client, params: { sessionId } }) {
  const say = (text) => ({
    sessionUpdate: "agent_message_chunk",
    messageId: "m1",
    content: { type: "text", text },
  });
  if (words === "may I") {
    const answer = await client.request(back.requestPermission, { sessionId, ...PERMISSION });
    yield say(JSON.stringify(answer));
  } else if (words === "read") {
    const path = "/garden/note";
    yield say((await client.request(fs.readTextFile, { sessionId, path, line: 2 })).content);
  } else if (words === "endless") {
    for (;;) {
      yield say("on and ");
      await pause();
    }
  } else {
    yield {
      sessionUpdate: "agent_thought_chunk",
      content: { type: "text", text: "hm" },
      _meta: { deep: { n: [1, null] } },
    };
    yield { sessionUpdate: "tool_call", toolCallId: "c0", title: "Look", kind: "read" };
    yield { sessionUpdate: "tool_call_update", toolCallId: "c0", status: "completed" };
    const entries = [{ content: "Water", priority: "high", status: "in_progress" }];
    yield { sessionUpdate: "plan", entries };
    for (const word of words.split(" ")) yield say(word);
  }
}

const app = acp
  .agent({ name: "interop" })
  .onRequest("initialize", ({ params }) => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: "interop", version: "1" },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, archive: {} },
    },
    _meta: params._meta,
  }))
  .onRequest(calls.new, ({ params }) => ({ sessionId: sessions.create(params.cwd).sessionId }))
  .onRequest(calls.load, async ({ params, client }) => {
    const { sessionId, history } = sessions.find(params);
    for (const update of history) await client.notify(back.update, { sessionId, update });
  })
  .onRequest(calls.resume, ({ params }) => {
    sessions.find(params);
    return {};
  })
  .onRequest(calls.prompt, async (context) => {
    const { params, client, signal } = context;
    const session = sessions.find(params);
    const words = params.prompt[0].text;
    const error = wantedError(acp, words);
    if (error) throw error;
    session.history.push({ sessionUpdate: "user_message_chunk", content: params.prompt[0] });
    let how;
    void cancelled(session, signal).then((which) => (how = which));
    for await (const update of turn(words, context)) {
      session.history.push(update);
      await client.notify(back.update, { sessionId: session.sessionId, update });
      if (how) break;
    }
    if (how === "request") {
      await client.notify("_interop/withdrawn", { sessionId: session.sessionId });
      throw acp.RequestError.requestCancelled();
    }
    return { stopReason: how ? "cancelled" : "end_turn", _meta: params._meta };
  });
const list = ({ params }) => sessions.page(params);
if (calls.archive === undefined) {
  // The stable entry point's own parser would leave the filter out, which it does not know.
  app.onRequest(calls.list, raw, list);
} else {
  app.onRequest(calls.list, list);
}
serveSessions(acp, app, sessions);
app.connect(ownStream(acp));
