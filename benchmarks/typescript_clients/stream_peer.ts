// The smallest JSON-RPC peer over lines of JSON: what a client on our modules brings, as the SDK
// brings its own.
type Message = Record<string, unknown>;

export interface Incoming {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

export class StreamPeer {
  incoming: Incoming | undefined;
  readonly #writer: WritableStreamDefaultWriter<string>;
  readonly #waiting = new Map<unknown, (answer: Message) => void>();
  #last = 0;

  constructor(output: WritableStream<string>, input: ReadableStream<string>) {
    this.#writer = output.getWriter();
    void this.#listen(input.getReader());
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = (this.#last += 1);
    const answered = new Promise<Message>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    await this.#send({ id, method, params });
    const { error, result } = await answered;
    if (error !== undefined) {
      throw new Error(JSON.stringify(error));
    }
    return result;
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#send({ method, params });
  }

  async #send(message: Message): Promise<void> {
    await this.#writer.write(
      `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`,
    );
  }

  async #listen(reader: ReadableStreamDefaultReader<string>): Promise<void> {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        await this.#take(JSON.parse(line) as Message);
      }
    }
  }

  async #take({ id, method, params, ...answer }: Message): Promise<void> {
    if (typeof method !== "string") {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    } else if (id === undefined) {
      await this.incoming?.notify(method, params);
    } else {
      const result = await this.incoming?.request(method, params);
      await this.#send({ id, result });
    }
  }
}
