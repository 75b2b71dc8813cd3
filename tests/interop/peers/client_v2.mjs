// A client on the TypeScript SDK, protocol v2: node client_v2.mjs ENTRY COMMAND...
// It has one conversation with the agent and prints what it saw as JSON.

import { attempt, converse, load, pages, raw, Record } from "./common.mjs";

const [entry, ...command] = process.argv.slice(2);
const acp = await load(entry);
const { session: calls } = acp.methods.agent;

const record = new Record();
const asked = [];
let hear;
const heard = new Promise((resolve) => (hear = resolve));
const answers = [
  { outcome: { outcome: "selected", optionId: "yes" }, _meta: { by: "hand" } },
  { outcome: { outcome: "cancelled" } },
];

const app = acp
  .client({ name: "interop" })
  .onNotification(acp.methods.client.session.update, record.update)
  .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
    asked.push(params);
    return answers[asked.length - 1];
  })
  .onRequest("_interop/echo", raw, ({ params }) => ({ echo: params }))
  .onNotification("_interop/heard", raw, ({ params }) => hear(params));

const text = (words) => [{ type: "text", text: words }];
const isChunk = (update) => update.sessionUpdate === "agent_message_chunk";
const isEnd = (update) => update.state === "idle" && update.stopReason !== undefined;

await converse(acp, app, record, command, async (ctx) => {
  const report = { asked };
  const prompt = async (sessionId, words, more, options) => {
    const params = { sessionId, prompt: text(words), ...more };
    const answer = await ctx.request(calls.prompt, params, options);
    await record.until(isEnd);
    return answer;
  };

  report.initialize = await ctx.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    info: { name: "interop", version: "1" },
  });

  const { sessionId } = await ctx.request(calls.new, { cwd: "/garden" });
  report.turn = await record.of(acp, () => prompt(sessionId, "one two three four five"));
  report.allowed = await record.of(acp, () => prompt(sessionId, "may I?"));
  report.dismissed = await record.of(acp, () => prompt(sessionId, "may I again?"));
  report.meta = await record.of(acp, () =>
    prompt(sessionId, "meta", { _meta: { sessionId: "evil", deep: { n: [1, null] } } }),
  );

  const long = "word ".repeat(400);
  report.cancelled = await record.of(acp, async () => {
    void record.until(isChunk).then(() => ctx.notify(calls.cancel, { sessionId }));
    return prompt(sessionId, long);
  });

  // In the conversation means answered: from then on only session/cancel ends a turn. What waits
  // behind another prompt has no answer yet and can be withdrawn.
  const withdrawal = new AbortController();
  report.withdrawn = await record.of(acp, async () => {
    const first = prompt(sessionId, "word ".repeat(40));
    await record.until(isChunk);
    const second = ctx.request(
      calls.prompt,
      { sessionId, prompt: text("never") },
      { cancellationSignal: withdrawal.signal },
    );
    withdrawal.abort();
    return Promise.all([first, attempt(acp, second)]);
  });

  // The SDK's own way to have a turn, with its queue of updates.
  const session = await ctx.buildSession("/elsewhere").start();
  const answered = session.prompt("six seven eight nine ten");
  report.queue = [];
  for (;;) {
    const { kind, update, stopReason } = await session.nextUpdate();
    report.queue.push({ kind, update, stopReason });
    if (kind === "stop") break;
  }
  report.queueAnswer = await answered;
  session.dispose();
  await ctx.request(calls.delete, { sessionId: session.sessionId });

  // Two more sessions: the agent has two on a page.
  report.ids = [sessionId];
  for (const cwd of ["/garden", "/house"]) {
    report.ids.push((await ctx.request(calls.new, { cwd })).sessionId);
  }
  report.pages = await pages(ctx);
  report.inHouse = await pages(ctx, { cwd: "/house" });

  // The stable entry point has no name for these two, and sends what it is told.
  const archive = calls.archive ?? "session/archive";
  const unarchive = calls.unarchive ?? "session/unarchive";
  report.archive = await record.of(acp, () => ctx.request(archive, { sessionId, _meta: { a: 1 } }));
  report.withoutArchived = await pages(ctx);
  report.withArchived = await pages(ctx, { archived: true });
  report.listed = (await ctx.request(calls.list, { archived: true, cwd: "/garden" })).sessions;
  // The SDK's revision of the filter is a string, which is no boolean.
  report.filter = await attempt(acp, ctx.request(calls.list, { archived: "include" }));
  report.unarchive = await record.of(acp, () => ctx.request(unarchive, { sessionId }));
  report.unarchived = await pages(ctx);

  await ctx.request(calls.close, { sessionId });
  const again = { sessionId, cwd: "/garden" };
  const replay = { ...again, replayFrom: { type: "start" } };
  report.load = await record.of(acp, () => ctx.request(calls.resume, replay));
  report.resume = await record.of(acp, () => ctx.request(calls.resume, again));

  report.delete = await attempt(acp, ctx.request(calls.delete, { sessionId }));
  report.left = await pages(ctx);
  report.unknown = {
    load: await attempt(acp, ctx.request(calls.resume, again)),
    prompt: await attempt(acp, prompt(sessionId, "gone")),
    archive: await attempt(acp, ctx.request(archive, { sessionId })),
    unarchive: await attempt(acp, ctx.request(unarchive, { sessionId })),
  };
  report.invalid = await attempt(acp, ctx.request(calls.new, { cwd: 1 }));
  report.notServed = await attempt(acp, ctx.request("session/fork", again));

  report.echo = await ctx.request("_interop/echo", { a: [1, { b: null }] });
  report.askBack = await ctx.request("_interop/ask_back", { c: "ü" });
  report.noSuch = await attempt(acp, ctx.request("_interop/none", {}));
  await ctx.notify("_interop/tell", { d: true });
  report.heard = await heard;
  return report;
});
