// What is large comes through whole: no list is handed over as arguments, of which there is a limit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convert, v1 } from "../index.js";

const MANY = 200_000;

test("a text of many lines has a patch", () => {
  const lines = (word: string): string => `${word}\n`.repeat(MANY);
  const diff = { path: "/a", oldText: lines("a"), newText: lines("b") };
  const [made] = convert.v1ToV2("Diff", diff);
  assert.equal(made?.patch?.text.split("\n").length, 2 * MANY + 5);
});

test("many losses are all reported", () => {
  const names = Array.from({ length: MANY }, (_, index) => `m${String(index)}`);
  const odd = Object.fromEntries(names.map((name) => [name, 1]));
  const value = { name: "a", version: "1", ...odd };
  const report: convert.Loss[] = [];
  const options = { lossy: true, report };
  const found = convert.convertJson(
    "v1_to_v2",
    "Implementation",
    value,
    options,
  );
  assert.deepEqual(found, [{ name: "a", version: "1" }]);
  assert.equal(report.length, MANY);
});

test("many faults of a union are all told", () => {
  const items = Array.from({ length: MANY }, () => ({ value: 1, name: 2 }));
  const options = { type: "select", currentValue: "a", options: items };
  assert.throws(
    () => v1.decode(v1.zSessionConfigSelect, options, { strict: true }),
    (error) => error instanceof v1.DecodeError && error.errors.length > 0,
  );
});

test("a message that becomes many is sent whole", () => {
  const between = new convert.SessionBridge({ client: "v1", agent: "v2" });
  const content = Array.from({ length: MANY }, () => ({
    type: "text",
    text: "a",
  }));
  const update = { sessionUpdate: "agent_message", messageId: "m", content };
  const params = { sessionId: "s", update };
  const message = { jsonrpc: "2.0", method: "session/update", params };
  const outcome = between.fromAgent(message);
  assert.equal(outcome.toClient.length, MANY);
});
