// Answers requests, one JSON line each, with the generated modules in the folder of the argument.
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(`${resolve(process.argv[2])}/`);
const loaded = new Map();

// The modules of one generated folder below the root.
async function modules(name = ".") {
  if (!loaded.has(name)) {
    const at = new URL(`${name}/`, root);
    const index = await import(new URL("index.js", at));
    const { parse, write } = await import(new URL("json.js", at));
    loaded.set(name, { index, parse, write });
  }
  return loaded.get(name);
}

function attempt(version, make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof version.DecodeError) {
      return { faults: error.errors };
    }
    return { crash: String(error.stack) };
  }
}

async function decode({ folder, version: name, type, text }) {
  const { index, parse } = await modules(folder);
  const version = index[name];
  const schema = version.DEFINITIONS[type];
  const read = (strict) =>
    attempt(version, () => {
      const value = version.fromJson(schema, text, { strict });
      return { text: version.toJson(value) };
    });
  const strict = read(true);
  const lenient = read(false);
  if (lenient.text !== undefined) {
    const told = attempt(version, () => {
      const { value } = parse(text);
      return { salvaged: version.decodeReporting(schema, value).salvaged };
    });
    Object.assign(lenient, told);
  }
  return { strict, lenient };
}

// What becomes of a JSON value, and of the typed value where one is wanted.
async function convert({
  folder,
  direction,
  type,
  text,
  context,
  lossy,
  typed,
}) {
  const { index, parse, write } = await modules(folder);
  const { convert: converters } = index;
  const losses = [];
  try {
    const options = { context, lossy, report: losses };
    const value = parse(text).value;
    const before = write(value);
    const values = converters.convertJson(direction, type, value, options);
    const answer = {
      text: write(values),
      losses,
      same: write(value) === before,
    };
    if (typed) {
      const [source, target] = direction.split("_to_");
      const model = index[source].decode(
        index[source].DEFINITIONS[type],
        value,
      );
      const convertModel =
        source === "v1" ? converters.v1ToV2 : converters.v2ToV1;
      const made = convertModel(type, model, { context, lossy });
      answer.typed = index[target].toJson(made);
    }
    return answer;
  } catch (error) {
    if (error instanceof converters.ConversionError) {
      const { definition, faults, message } = error;
      return {
        definition,
        faults,
        direction: error.direction,
        message,
        error: error.toJson(),
      };
    }
    return { crash: String(error.stack) };
  }
}

// Has a conversation with a bridge: what comes in by side, as text. What becomes of each is text too.
async function bridge({ folder, client, agent, lossy, limits, steps }) {
  const { index, parse } = await modules(folder);
  let count = 0;
  const ids = () => `m${(count += 1)}`;
  const made = new index.convert.SessionBridge({
    client,
    agent,
    ids,
    limits,
    lossy,
  });
  try {
    const outcomes = steps.map(({ side, text }) => {
      const { value } = parse(text);
      return exactly(
        side === "client" ? made.fromClient(value) : made.fromAgent(value),
      );
    });
    return { outcomes };
  } catch (error) {
    return { crash: String(error.stack) };
  }
}

// JSON text of any value, with every digit, and with infinity as a number that reads as it.
function exactly(value) {
  if (typeof value === "number" && Number.isInteger(value)) {
    return BigInt(value).toString();
  }
  if (value === Infinity || value === -Infinity) {
    return value > 0 ? "1e999" : "-1e999";
  }
  if (Array.isArray(value)) {
    return `[${value.map(exactly).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}:${exactly(item)}`,
    );
    return `{${members.join(",")}}`;
  }
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

const operations = { bridge, convert, decode };

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answer = await operations[request.op](request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
