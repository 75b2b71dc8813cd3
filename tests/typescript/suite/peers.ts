// A connection in one process: what one side sends is served by a dispatcher, as JSON text.
import type { v1 } from "../index.js";

export function over(target: v1.Peer): v1.Peer {
  const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return {
    request: async (method, params) =>
      copy(await target.request(method, copy(params))),
    notify: async (method, params) => target.notify(method, copy(params)),
  };
}
