// What the peers on the TypeScript SDK share.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";

const ENTRIES = {
  "v1-stable": "@agentclientprotocol/sdk",
  "v1-unstable": "@agentclientprotocol/sdk/unstable",
  "v2-stable": "@agentclientprotocol/sdk/experimental/v2",
  "v2-unstable": "@agentclientprotocol/sdk/experimental/v2/unstable",
};

/** Load an entry point of the SDK. */
export const load = (entry) => import(ENTRIES[entry]);

/** The messages on this process's own stdin and stdout. */
export const ownStream = (acp) =>
  acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));

/** Parser of a method that the SDK does not know: the params as they came. */
export const raw = (params) => params;

/** What became of a call, so that it can be told as JSON. */
export async function attempt(acp, call) {
  try {
    return { result: (await call) ?? null };
  } catch (error) {
    const { code, message, data } = error;
    return { error: { typed: error instanceof acp.RequestError, code, message, data } };
  }
}

/**
 * What a client sees: `seen` as the SDK hands it over, and `wire` as it arrived. The two may differ
 * in order: the SDK handles a notification in more steps than a response, so an answer that came
 * in one piece with the last updates is handed over before them.
 */
export class Record {
  seen = [];
  wire = [];

  /** A handler of session/update. */
  update = ({ params }) => void this.seen.push(params);

  /** Make a call and return what became of it and what came with it. */
  async of(acp, call) {
    await settled();
    this.seen = [];
    this.wire = [];
    const answer = await attempt(acp, call());
    await settled();
    return { answer, seen: [...this.seen], wire: [...this.wire] };
  }

  /** Wait until an update was seen for which `matches` is true. */
  async until(matches) {
    while (!this.seen.some(({ update }) => matches(update))) await settled();
  }

  note(message) {
    const update = message.method === "session/update" ? message.params.update : {};
    const kind = [update.sessionUpdate ?? message.method ?? "answer", update.state];
    this.wire.push(kind.filter(Boolean).join(" "));
  }
}

/** Wait until the SDK has handled what has arrived. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Run a client's conversation with an agent process; print what `talk` returns. */
export async function converse(acp, app, record, command, talk) {
  const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(agent, "exit");
  const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  const tap = new TransformStream({
    transform(message, controller) {
      record.note(message);
      controller.enqueue(message);
    },
  });
  stream.readable = stream.readable.pipeThrough(tap);
  try {
    const report = await app.connectWith(stream, talk);
    agent.stdin.end();
    const [code] = await exited;
    process.stdout.write(JSON.stringify({ ...report, exit: code }) + "\n");
  } catch (error) {
    agent.kill();
    throw error;
  }
}

/** All pages of the list, as ids. */
export async function pages(ctx, filters = {}) {
  const found = [];
  let cursor = {};
  do {
    const page = await ctx.request("session/list", { ...filters, ...cursor });
    found.push(page.sessions.map((info) => info.sessionId));
    cursor = page.nextCursor == null ? undefined : { cursor: page.nextCursor };
  } while (cursor);
  return found;
}
