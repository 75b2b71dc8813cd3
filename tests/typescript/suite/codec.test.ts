import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { v1 } from "../index.js";
import { list, map, nullable, struct, req } from "../schema.js";

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

test("a number that cannot be held is found wherever it stands", () => {
  const places = (text: string): string[] => {
    try {
      v1.fromJson(z.unknown(), text);
    } catch (error) {
      assert.ok(error instanceof v1.DecodeError);
      return error.errors.map((one) => `${one.kind} ${one.pointer}`);
    }
    return [];
  };
  for (const text of ["1e400", " -9007199254740993\n", "0.1e+4000"]) {
    assert.deepEqual(places(text), ["inexact "], text);
  }
  const wide =
    '{"a":[1,\n-9007199254740993, 12.5E0400],"b":\t1e400,"c":-1E999}';
  const found = ["/a/1", "/a/2", "/b", "/c"].map((place) => `inexact ${place}`);
  assert.deepEqual(places(wide), found);
  const fine =
    '["1e400", ":9007199254740993", 1e-400, 1e300, 0.12345678901234567890]';
  assert.deepEqual(places(fine), []);
});

test("long integers are written with all their digits", () => {
  const value = { a: [2 ** 60, -(2 ** 53), 1e21, 1e-7, 0.1], b: 1e15, c: null };
  const text =
    '{"a":[1152921504606846976,-9007199254740992,1e+21,1e-7,0.1],"b":1000000000000000,"c":null}';
  assert.equal(v1.toJson({ ...value, d: undefined }), text);
  assert.equal(v1.toJson(2 ** 60), "1152921504606846976");
  assert.equal(v1.toJson({ a: undefined, b: "x" }), '{"b":"x"}');
  for (const wrong of [[undefined], { a: () => 1 }, new Date(0), NaN, [1n]]) {
    assert.throws(() => v1.toJson(wrong), TypeError);
  }
});

test("faults come in the order of the schema", () => {
  const json = { updatedAt: 1, title: 2, cwd: 3 };
  assert.throws(
    () => v1.decode(v1.zSessionInfo, json, { strict: true }),
    (error) => {
      assert.ok(error instanceof v1.DecodeError);
      const places = error.errors.map((one) => one.pointer);
      assert.deepEqual(places, ["/sessionId", "/cwd", "/title", "/updatedAt"]);
      return true;
    },
  );
});

test("a check that somebody adds to a validator counts inside others", () => {
  const checked = v1.zSessionId.refine((id) => id !== "bad");
  const short = z.string().max(3);
  const makers = [
    (one: z.ZodType): z.ZodType => list(one),
    (one: z.ZodType): z.ZodType => list(nullable(one)),
  ];
  for (const make of makers) {
    assert.equal(make(checked).safeParse(["good", "bad"]).success, false);
    assert.equal(make(checked).safeParse(["good"]).success, true);
    assert.equal(make(short).safeParse(["long"]).success, false);
  }
  assert.equal(map(checked).safeParse({ a: "bad" }).success, false);
  const holder = struct(() => ({ id: req(checked) }));
  assert.equal(holder.safeParse({ id: "bad" }).success, false);
  assert.equal(holder.safeParse({ id: "good" }).success, true);
  const refused = nullable(v1.zSessionId).refine((id) => id !== null);
  assert.equal(list(refused).safeParse([null]).success, false);
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
