// One part of the attack with corpora: where it was tried, how often, and what got through.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import type { AttackTarget } from '../attack.ts';

export interface Attempts {
  readonly tried: string;
  readonly broken: readonly string[];
}

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Of all, at most `count`, evenly from the first to the last. */
export function spread<T>(all: readonly T[], { count }: Pick<AttackTarget, 'count'>): readonly T[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_one, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** In lanes, since most of the time is spent waiting. */
export async function forEachInLanes<T>(all: readonly T[], tryOut: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const lane = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await tryOut(one);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Sends paths as they stand, as far as HTTP can say them: control characters and spaces are encoded. */
export class RawCaller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #base: URL;

  constructor(url: string) {
    this.#base = new URL(url);
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Heard> {
    const { hostname: host, port } = this.#base;
    const sent = request({ host, port, path: spoken(path), agent: this.#agent, headers: { ...headers } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += String(part);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  close(): void {
    this.#agent.destroy();
  }
}

function spoken(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(sign));
}
