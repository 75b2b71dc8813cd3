// Decode and encode with our validators and with the SDK's schemas, in one process, in turns.
//
// Arguments: the folder of our modules, compiled; the SDK's module of v1 schemas; a file with the
// messages; rounds. Node is told --expose-gc and to keep a block's garbage until it is over. Prints
// the ratios as JSON: message -> operation -> rounds, and what the SDK adds to a message.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [ours, peers, messages, rounds] = process.argv.slice(2);
const { v1 } = await import(pathToFileURL(`${ours}/index.js`));
const sdk = await import(pathToFileURL(peers));

const BLOCK = 2000; // microseconds of one measured block

/** What each side does for an operation; each returns a JSON value or a text of one. */
function actions({ ours: name, peer: theirs, data }) {
  const schema = v1.DEFINITIONS[name];
  const peer = sdk[`z${theirs}`];
  if (schema === undefined || peer === undefined) {
    throw new Error(`no schema for ${name} or ${theirs}`);
  }
  const text = JSON.stringify(data);
  const mine = v1.decode(schema, data);
  const parsed = peer.parse(data);
  return {
    decode: [() => v1.decode(schema, data), () => peer.parse(data)],
    "decode from text": [
      () => v1.fromJson(schema, text),
      () => peer.parse(JSON.parse(text)),
    ],
    // The SDK's encoder is JSON.stringify: it has nothing that corresponds to `encode` alone.
    "encode to text": [() => v1.toJson(mine), () => JSON.stringify(parsed)],
    "round trip, text": [
      () => v1.toJson(v1.fromJson(schema, text)),
      () => JSON.stringify(peer.parse(JSON.parse(text))),
    ],
  };
}

/** Returns the places that `after` has beyond `before`; throws if anything else differs. */
function added(before, after, place) {
  if (isDeepStrictEqual(before, after)) {
    return [];
  }
  const both = [before, after];
  if (both.every(Array.isArray) && before.length === after.length) {
    return before.flatMap((item, at) =>
      added(item, after[at], `${place}/${at}`),
    );
  }
  if (both.every((one) => typeof one === "object" && one !== null)) {
    const lost = Object.keys(before).filter((key) => !(key in after));
    if (lost.length === 0) {
      return Object.entries(after).flatMap(([key, item]) =>
        key in before
          ? added(before[key], item, `${place}/${key}`)
          : [`${place}/${key}`],
      );
    }
  }
  throw new Error(`the SDK does not give back what is at ${place}`);
}

/** Stops the run unless both sides give the message back; returns what the SDK adds to it. */
function check({ label, data }, pairs) {
  for (const [operation, [mine, theirs]] of Object.entries(pairs)) {
    const value = (made) =>
      typeof made === "string" ? JSON.parse(made) : made;
    if (!isDeepStrictEqual(value(mine()), data)) {
      throw new Error(`${label}, ${operation}: we do not give it back`);
    }
    added(data, JSON.parse(JSON.stringify(value(theirs()))), label);
  }
  const [, parse] = pairs.decode;
  return added(data, JSON.parse(JSON.stringify(parse())), "");
}

/** The garbage of one block is not left for the next, which may be the other side's. */
function microseconds(action, count) {
  globalThis.gc({ type: "minor" });
  const start = process.cpuUsage();
  for (let at = 0; at < count; at++) {
    action();
  }
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Returns how many calls make a block; the compiler has seen the action by then. */
function countOf(action) {
  microseconds(action, 2000);
  let count = 64;
  let taken = 0;
  while ((taken = microseconds(action, count)) < BLOCK / 2) {
    count *= 2;
  }
  return Math.max(1, Math.round((count * BLOCK) / taken));
}

/** Returns how many times the SDK's rate ours is, by round. */
function rates([mine, theirs]) {
  const counts = [countOf(mine), countOf(theirs)];
  const found = [];
  for (let round = 0; round < Number(rounds); round++) {
    const times = [];
    for (const side of round % 2 ? [0, 1] : [1, 0]) {
      times[side] = microseconds([mine, theirs][side], counts[side]);
    }
    found.push(times[1] / counts[1] / (times[0] / counts[0]));
  }
  return found;
}

const all = JSON.parse(readFileSync(messages, "utf8")).map((message) => ({
  message,
  pairs: actions(message),
}));
const adds = {};
for (const { message, pairs } of all) {
  adds[message.label] = check(message, pairs);
}
// Every message is seen before the first is measured, so that none finds code that knows no other.
for (const { pairs } of all) {
  Object.values(pairs).forEach((pair) => pair.forEach(countOf));
}
const ratios = {};
for (const { message, pairs } of all) {
  ratios[message.label] = Object.fromEntries(
    Object.entries(pairs).map(([name, pair]) => [name, rates(pair)]),
  );
}
process.stdout.write(JSON.stringify({ adds, ratios }));
