// A line that this server dialled: calls to the sites of the other one, changes that it is told of, and which sites it has.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCallName, SiteCalls } from '@vedette/contract/site/site.ts';
import { siteAnswers } from '@vedette/contract/site/site-answers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { WebSocket } from 'ws';
import { CallError, callErrorOf } from '../core/call-error.ts';
import type { AssignmentChange } from '../site-link/assignment-sync.ts';
import { siteAway } from '../site-link/site-route.ts';
import { siteCallTimeout, siteCallTimeoutMs } from '../site-link/site-call-timeouts.ts';
import {
  type AnsweringMessage,
  type AskingMessage,
  NODE_MESSAGE_MAX_BYTES,
  NODE_PROTOCOL_VERSION,
  readAnsweringMessage,
  type SiteHere,
} from './node-messages.ts';
import type { ChangeCount } from './missed-changes.ts';
import { SilenceWatch } from './silence-watch.ts';

export interface AskingLineOptions {
  readonly socket: WebSocket;
  readonly clock: Clock;
  readonly hello: ChangeCount;
  readonly onSites: (sites: readonly SiteHere[]) => void;
  readonly onSite: (site: SiteHere) => void;
  readonly onSiteGone: (siteId: string) => void;
  readonly onClose: () => void;
}

/** Calls that wait for an answer; further ones are 1012. */
const CALLS_MAX = 4096;
const UNSENT_MAX_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly siteId: string;
  readonly settle: (code: number, data: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancelTimer: () => void;
}

interface Order<T> {
  readonly siteId: string;
  readonly message: (id: number) => AskingMessage;
  readonly withinMs: number;
  readonly onTimeout: () => Error;
  /** Null for what is no answer. */
  readonly read: (data: unknown) => { readonly answer: T } | null;
}

export class AskingLine {
  readonly #options: AskingLineOptions;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(options: AskingLineOptions) {
    this.#options = options;
    const { socket, clock, hello, onClose } = options;
    new SilenceWatch(clock, socket);
    socket.on('message', (raw: Buffer) => this.#receive(raw));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      for (const { reject, cancelTimer, siteId } of this.#waiting.values()) {
        cancelTimer();
        reject(siteAway(siteId));
      }
      this.#waiting.clear();
      onClose();
    });
    this.#send({ type: 'hello', protocol: NODE_PROTOCOL_VERSION, ...hello });
  }

  call<N extends SiteCallName>(siteId: string, name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> {
    const withinMs = siteCallTimeoutMs(name, this.#options.clock.monotonicMs());
    return this.#ask<SiteCalls[N]['output']>({
      siteId,
      message: (id) => ({ type: 'call', id, siteId, call: { name, input: { ...input } }, withinMs }),
      withinMs,
      onTimeout: () => siteCallTimeout(name),
      read: (data) => {
        const read = siteAnswers[name].safeParse(data);
        return read.success ? { answer: read.data as SiteCalls[N]['output'] } : null;
      },
    });
  }

  /** Resolves when the other server has brought it to the sites that it has, as far as they took it. */
  async tell(number: number, change: AssignmentChange, withinMs: number): Promise<void> {
    const copied = change.kind === 'moved' ? { ...change, siteIds: [...change.siteIds] } : change;
    await this.#ask({
      siteId: '',
      message: (id) => ({ type: 'change', id, number, change: copied }),
      withinMs,
      onTimeout: () => new CallError('serviceBusy'),
      read: () => ({ answer: null }),
    });
  }

  close(): void {
    this.#options.socket.terminate();
  }

  #ask<T>({ siteId, message, withinMs, onTimeout, read }: Order<T>): Promise<T> {
    const { clock, socket } = this.#options;
    const isFull = this.#waiting.size >= CALLS_MAX || socket.bufferedAmount > UNSENT_MAX_BYTES;
    if (isFull) return Promise.reject(new CallError('serviceBusy'));
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const cancelTimer = clock.after(withinMs, () => {
      this.#waiting.delete(id);
      reject(onTimeout());
    });
    const settle = (code: number, data: unknown): void => {
      if (code !== ERROR_CODES.success) return reject(callErrorOf(code, data));
      const found = read(data);
      if (found === null) reject(new CallError('devInternalErr', { reason: 'fault' }));
      else resolve(found.answer);
    };
    this.#waiting.set(id, { siteId, settle, reject, cancelTimer });
    if (!this.#send(message(id))) {
      cancelTimer();
      this.#waiting.delete(id);
      reject(new CallError('serviceBusy'));
    }
    return promise;
  }

  #receive(raw: Buffer): void {
    const message = readAnsweringMessage(raw);
    if (message !== null) this.#take(message);
  }

  #take(message: AnsweringMessage): void {
    const { onSites, onSite, onSiteGone } = this.#options;
    if (message.type === 'sites') onSites(message.sites);
    else if (message.type === 'site') onSite(message.site);
    else if (message.type === 'siteGone') onSiteGone(message.siteId);
    else {
      // Answers to expired calls are ignored.
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.cancelTimer();
      waiting?.settle(message.code, message.data);
    }
  }

  /** False for what is too long to be sent. */
  #send(message: AskingMessage): boolean {
    const { socket } = this.#options;
    const text = Buffer.from(JSON.stringify(message));
    if (text.length > NODE_MESSAGE_MAX_BYTES) return false;
    if (socket.readyState === socket.OPEN) socket.send(text, { binary: false });
    return true;
  }
}
