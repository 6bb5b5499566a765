// The DevTools protocol over two pipes, messages separated by a zero byte: unlike a port, no other program of the machine can reach it.
import type { Readable, Writable } from 'node:stream';
import type { DevtoolsEvent } from './devtools-events.ts';

type Settle = (result: unknown, error?: Error) => void;
interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The command was refused, or the window or browser that it was for has gone. */
export class DevtoolsError extends Error {}

export class DevtoolsPipe {
  readonly #toBrowser: Writable;
  readonly #onEvent: (event: DevtoolsEvent) => void;
  readonly #waiting = new Map<number, Settle>();
  #parts: Buffer[] = [];
  #next = 0;

  constructor(toBrowser: Writable, fromBrowser: Readable, onEvent: (event: DevtoolsEvent) => void) {
    this.#toBrowser = toBrowser;
    this.#onEvent = onEvent;
    fromBrowser.on('data', (bytes: Buffer) => this.#read(bytes));
    fromBrowser.on('close', () => this.#end());
    // A browser that was killed: `close` follows.
    for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => undefined);
  }

  /** @throws DevtoolsError */
  send(method: string, params: object = {}, sessionId = ''): Promise<Readonly<Record<string, unknown>>> {
    this.#next += 1;
    const id = this.#next;
    const message = sessionId === '' ? { id, method, params } : { id, method, params, sessionId };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (result, error) =>
        error === undefined ? resolve((result ?? {}) as Record<string, unknown>) : reject(error),
      );
      if (this.#toBrowser.destroyed) this.#end();
      else this.#toBrowser.write(`${JSON.stringify(message)}\0`);
    });
  }

  #read(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      const text = Buffer.concat([...this.#parts, bytes.subarray(from, end)]).toString();
      this.#parts = [];
      from = end + 1;
      this.#take(JSON.parse(text) as Received);
    }
    if (from < bytes.length) this.#parts.push(bytes.subarray(from));
  }

  #take({ id, method, params, sessionId = '', result, error }: Received): void {
    if (id === undefined) return this.#onEvent({ method, params, sessionId } as DevtoolsEvent);
    const settle = this.#waiting.get(id);
    this.#waiting.delete(id);
    settle?.(result, error === undefined ? undefined : new DevtoolsError(error.message));
  }

  #end(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle(undefined, new DevtoolsError('the browser has gone'));
  }
}
