// A peer over the pipes of a child process: one JSON-RPC message a line.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { v1 } from "../index.js";

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Message {
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export class StdioPeer implements v1.Peer {
  readonly #child: ChildProcess;
  readonly #served: v1.Peer;
  readonly #waiting = new Map<unknown, Waiting>();
  #last = 0;

  constructor(command: readonly string[], served: v1.Peer) {
    const [program = "", ...args] = command;
    this.#served = served;
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on("line", (line) => {
        void this.#take(JSON.parse(line) as Message);
      });
    }
  }

  async request(method: string, params: unknown): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#send({ id, method, params });
    return answer;
  }

  notify(method: string, params: unknown): Promise<void> {
    this.#send({ method, params });
    return Promise.resolve();
  }

  /** Closes the pipe; the child ends on its own. */
  async close(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => {
      this.#child.once("exit", resolve);
    });
    this.#child.stdin?.end();
    return ended;
  }

  /** Ends the child at once, if it still runs. */
  kill(): void {
    this.#child.kill();
  }

  async #take({ id, method, params, result, error }: Message): Promise<void> {
    if (method === undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) {
        waiting?.resolve(result);
      } else {
        const { code, message, data } = error;
        waiting?.reject(new v1.RpcError(code, message, data));
      }
    } else if (id === undefined) {
      await this.#served.notify(method, params);
    } else {
      this.#send({ id, result: await this.#served.request(method, params) });
    }
  }

  #send(message: Message): void {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin?.write(`${line}\n`);
  }
}
