// What the agents on the TypeScript SDK share: sessions in memory, and what v1 and v2 say alike.

import { raw } from "./common.mjs";

const PAGE = 2;

export class Sessions {
  all = new Map();

  constructor(acp) {
    this.acp = acp;
  }

  create(cwd) {
    const session = { sessionId: `s${this.all.size}`, cwd, archived: false, history: [] };
    this.all.set(session.sessionId, session);
    return session;
  }

  find({ sessionId }) {
    const found = this.all.get(sessionId);
    if (found === undefined || found.deleted)
      throw this.acp.RequestError.sessionNotFound(sessionId);
    return found;
  }

  page({ cwd, cursor, archived }) {
    const found = [...this.all.values()].filter(
      (one) => !one.deleted && (archived || !one.archived) && (cwd == null || one.cwd === cwd),
    );
    const start = Number(cursor ?? 0);
    const sessions = found
      .slice(start, start + PAGE)
      .map(({ sessionId, cwd, archived }) => ({ sessionId, cwd, archived, title: `In ${cwd}` }));
    const more = start + PAGE < found.length;
    return more ? { sessions, nextCursor: `${start + PAGE}` } : { sessions };
  }
}

/** Serve what is the same in v1 and v2. */
export function serveSessions(acp, app, sessions) {
  const { session: calls } = acp.methods.agent;
  const archiving =
    (archived) =>
    async ({ params, client }) => {
      const session = sessions.find(params);
      session.archived = archived;
      await client.notify(acp.methods.client.session.update, {
        sessionId: session.sessionId,
        update: { sessionUpdate: "session_info_update", archived },
      });
      return { _meta: params._meta };
    };

  app
    .onRequest(calls.delete, ({ params }) => {
      sessions.find(params).deleted = true;
    })
    .onRequest(calls.close, ({ params }) => {
      sessions.find(params);
    })
    .onRequest("_interop/echo", raw, ({ params }) => ({ echo: params }))
    .onRequest("_interop/ask_back", raw, async ({ params, client }) => ({
      theySaid: await client.request("_interop/echo", params),
    }))
    .onNotification("_interop/tell", raw, ({ params, client }) =>
      client.notify("_interop/heard", params),
    )
    .onNotification(calls.cancel, ({ params }) => sessions.find(params).cancel?.());

  if (calls.archive !== undefined) {
    app.onRequest(calls.archive, archiving(true)).onRequest(calls.unarchive, archiving(false));
  } else {
    app
      .onRequest("session/archive", raw, archiving(true))
      .onRequest("session/unarchive", raw, archiving(false));
  }
}

/** The error that a prompt asks for; undefined if it asks for none. */
export function wantedError(acp, words) {
  switch (words) {
    case "file":
      return acp.RequestError.resourceNotFound("file:///none");
    case "login":
      return acp.RequestError.authRequired({ methods: ["x"] });
    case "own":
      return new acp.RequestError(7, "Seven", [1]);
    case "fault":
      return new Error("boom");
  }
}

/** A promise that resolves when the session is cancelled, or the request. */
export function cancelled(session, signal) {
  return new Promise((resolve) => {
    session.cancel = () => resolve("session");
    signal?.addEventListener("abort", () => resolve("request"), { once: true });
  });
}

export const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
