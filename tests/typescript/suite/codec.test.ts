import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { v1 } from "../index.js";

test("what was on the wire comes back", () => {
  const json = JSON.parse(
    '{"cursor":null,"archived":true,"__proto__":{"x":1}}',
  ) as unknown;
  const value = v1.decode(v1.zListSessionsRequest, json, { strict: true });
  assert.equal(value.archived, true);
  assert.equal(JSON.stringify(v1.encode(value)), JSON.stringify(json));
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

test("faults have places, and leniency reports what it dropped", () => {
  const info = { sessionId: "s", cwd: "/", updatedAt: 5 };
  assert.throws(
    () => v1.decode(v1.zSessionInfo, info, { strict: true }),
    (error) =>
      error instanceof v1.DecodeError &&
      error.errors.length === 1 &&
      error.errors[0]?.pointer === "/updatedAt",
  );
  const { value, salvaged } = v1.decodeReporting(v1.zSessionInfo, info);
  assert.deepEqual(v1.encode(value), { sessionId: "s", cwd: "/" });
  assert.deepEqual(
    salvaged.map((entry) => entry.pointer),
    ["/updatedAt"],
  );
});

test("no integer is rounded", () => {
  const kind = (read: () => unknown): string => {
    try {
      read();
    } catch (error) {
      if (error instanceof v1.DecodeError) {
        return error.errors.map((one) => `${one.kind} ${one.pointer}`).join();
      }
    }
    return "accepted";
  };
  const text = (used: string): string => `{"used":${used},"size":1}`;
  const read = (used: string): string =>
    kind(() => v1.fromJson(v1.zUsageUpdate, text(used)));
  assert.equal(read("9007199254740991"), "accepted");
  assert.equal(read("9007199254740993"), "inexact /used");
  assert.equal(read("9007199254740992"), "inexact /used");
  assert.equal(read("1.5"), "integer /used");
  const free = '{"used":1,"size":1,"x":[9007199254740993]}';
  assert.equal(
    kind(() => v1.fromJson(v1.zUsageUpdate, free)),
    "inexact /x/0",
  );
});

test("what is no JSON cannot be encoded", () => {
  for (const value of [NaN, Infinity, 1n, () => 1, Symbol("s"), new Date(0)]) {
    assert.throws(() => v1.encode({ value }), TypeError);
  }
  assert.deepEqual(v1.encode({ a: undefined, b: [null] }), { b: [null] });
});

test("validators are zod schemas", () => {
  const schema = z.object({ info: v1.zSessionInfo.optional() });
  assert.deepEqual(schema.parse({}), {});
  const found = schema.safeParse({ info: { sessionId: 1, cwd: "/" } });
  assert.deepEqual(found.error?.issues[0]?.path, ["info", "sessionId"]);
});
