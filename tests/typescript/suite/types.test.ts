// What the compiler has to see: narrowing, presence, no any. A wrong type fails to compile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { v1, v2 } from "../index.js";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
const holds = <T extends true>(...proof: T[]): void => {
  assert.equal(proof.length, 0);
};

test("optional, nullable and both are three types", () => {
  holds<Same<v1.ListSessionsRequest["cwd"], string | null | undefined>>();
  holds<Same<v1.SessionInfo["cwd"], string>>();
  holds<Same<v1.SessionInfo["archived"], boolean | undefined>>();
  // @ts-expect-error undefined is no value of an optional field
  const wrong: v1.ListSessionsRequest = { cwd: undefined };
  assert.ok(wrong);
});

function describe(update: v2.SessionUpdate): string {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return update.content.type;
    case "usage_update":
      return String(update.used);
    default:
      return String(update.sessionUpdate);
  }
}

test("a union narrows on its tag and keeps what it does not know", () => {
  const known = v2.decode(v2.zSessionUpdate, {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "hi" },
    messageId: "m",
  });
  assert.equal(describe(known), "text");
  const other = { sessionUpdate: "from_the_future", n: 1 };
  const unknown = v2.decode(v2.zSessionUpdate, other);
  assert.equal(describe(unknown), "from_the_future");
  assert.deepEqual(v2.encode(unknown), other);
});

test("an open enum takes listed words, and others on purpose", () => {
  const listed: v1.SessionConfigOptionCategory = "mode";
  const other: v1.SessionConfigOptionCategory = v1.unlisted("_mine");
  // @ts-expect-error a typing error must not pass for a new word
  const typo: v1.SessionConfigOptionCategory = "moed";
  assert.deepEqual([listed, other, typo], ["mode", "_mine", "moed"]);
});

test("a variant without a tag can be told from the others", () => {
  const server = (found: v1.McpServer): string =>
    found.type === "http" ? found.url : "command" in found ? found.command : "";
  assert.equal(server({ name: "a", command: "b", args: [], env: [] }), "b");
});
