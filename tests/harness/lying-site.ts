// A far site that enrolled as it should, and then answers and tells whatever a test has it say: honest answers until then.
import { once } from 'node:events';
import type { ServerToSite, SiteCallName, StorageHealth } from '@vedette/contract/site/site.ts';
import type { WebSocket } from 'ws';
import { waitFor } from './wait-for.ts';

type SiteCall = Extract<ServerToSite, { type: 'call' }>;
/** Answers that are given as they are, right or wrong. */
export type Lie = (input: never) => unknown;

/** Leaves the call without an answer. */
export const SILENCE = Symbol('silence');

export interface Refused {
  readonly code: number;
  readonly data: unknown;
}

const storage: StorageHealth = {
  folder: '/far',
  usedBytes: 1,
  freeBytes: 2,
  budgetBytes: 3,
  state: 'normal',
  reason: null,
  oldestAt: null,
};
const HONEST: Partial<Record<SiteCallName, unknown>> = {
  settings: { storage },
  health: { storage, streams: [] },
  tickets: { ticketIds: [] },
  revoke: { closed: 0 },
  exportStatus: { exports: [] },
  recordings: { spans: [], gaps: [] },
  streams: { streams: [] },
  capabilities: { capabilities: [] },
};

export class LyingSite {
  readonly lies = new Map<SiteCallName, Lie>();
  /** Codes that it answers in place of success. */
  readonly refusals = new Map<SiteCallName, Refused>();
  readonly heard: SiteCall[] = [];
  readonly acknowledged: number[] = [];
  /** With which its connections were closed. */
  readonly closed: number[] = [];
  readonly #dial: () => WebSocket;
  readonly #hello: Readonly<Record<string, unknown>>;
  #socket: WebSocket | null = null;
  #seq = 0;

  /** `dial` opens a socket to the server's entry for far sites. */
  constructor(dial: () => WebSocket, hello: { readonly siteId: string; readonly code: string }) {
    this.#dial = dial;
    this.#hello = { type: 'hello', protocol: 1, secret: 'h'.repeat(43), version: '9.9', ...hello };
  }

  get socket(): WebSocket {
    if (this.#socket === null) throw new Error('the site is not connected');
    return this.#socket;
  }

  /** The newest number that the server may forget. */
  get acknowledgedUpTo(): number {
    return this.acknowledged.at(-1) ?? 0;
  }

  /** `more` is said in the first message. */
  async connect(more: object = {}): Promise<void> {
    const socket = this.#dial();
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.closed.push(code));
    socket.on('message', (raw: Buffer) => this.#receive(socket, JSON.parse(raw.toString('utf8')) as ServerToSite));
    await once(socket, 'open');
    socket.send(JSON.stringify({ ...this.#hello, ...more }));
  }

  /** As it is, whatever it is. */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  tell(event: unknown): number {
    this.#seq += 1;
    this.send({ type: 'event', seq: this.#seq, event });
    return this.#seq;
  }

  async isAcknowledged(seq: number): Promise<void> {
    await waitFor(`event ${seq} to be acknowledged`, () => this.acknowledgedUpTo >= seq);
  }

  close(): void {
    this.#socket?.terminate();
  }

  #receive(socket: WebSocket, message: ServerToSite): void {
    if (message.type === 'ack') {
      this.acknowledged.push(message.seq);
      return;
    }
    this.heard.push(message);
    const { id, name, input } = message;
    const refused = this.refusals.get(name);
    const data = this.lies.has(name) ? this.lies.get(name)?.(input as never) : (HONEST[name] ?? {});
    if (data === SILENCE) return;
    const answer = refused ?? { code: 200, data };
    socket.send(JSON.stringify({ type: 'answer', id, ...answer }));
  }
}
