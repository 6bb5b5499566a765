// A line that another server dialled: passes its calls on to the sites that are connected here, and says which those are.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CallError } from '../core/call-error.ts';
import type { AssignmentChange } from '../site-link/assignment-sync.ts';
import {
  type AnsweringMessage,
  type AskingMessage,
  NODE_MESSAGE_MAX_BYTES,
  readAskingMessage,
  type SiteCall,
  type SiteHere,
} from './node-messages.ts';
import type { ChangeCount } from './missed-changes.ts';
import { SilenceWatch } from './silence-watch.ts';

/** Of the sites that are connected to this server. */
export interface SitesHere {
  readonly list: () => readonly SiteHere[];
  /** Null where it is not connected here now. */
  readonly find: (siteId: string) => SiteHere | null;
  /** `mostMs`: as long as the other server waits for it. */
  readonly call: (siteId: string, call: SiteCall, mostMs: number) => Promise<unknown>;
}

export interface AnsweringLineOptions {
  readonly socket: WebSocket;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: SitesHere;
  readonly onHello: (told: ChangeCount) => void;
  /** Resolves when it was brought to the sites that are connected here. */
  readonly onChange: (number: number, change: AssignmentChange) => Promise<void>;
}

const UNSENT_MAX_BYTES = 64 * 1024 * 1024;
const ANSWERED = { code: ERROR_CODES.success, data: null };

export class AnsweringLine {
  readonly #options: AnsweringLineOptions;
  #isGreeted = false;

  constructor(options: AnsweringLineOptions) {
    this.#options = options;
    const { socket, clock } = options;
    new SilenceWatch(clock, socket);
    socket.on('error', () => undefined);
    socket.on('message', (raw: Buffer) => {
      const message = readAskingMessage(raw);
      if (message !== null && (message.type === 'hello') !== this.#isGreeted) this.#take(message);
      else if (!this.#isGreeted) socket.close(4400, 'no hello');
    });
  }

  /** The line of a site to this server began or ended. */
  siteChanged(siteId: string): void {
    if (!this.#isGreeted) return;
    const site = this.#options.sites.find(siteId);
    this.#send(site === null ? { type: 'siteGone', siteId } : { type: 'site', site });
  }

  close(): void {
    this.#options.socket.terminate();
  }

  #take(message: AskingMessage): void {
    const { sites, onHello, onChange } = this.#options;
    if (message.type === 'hello') {
      this.#isGreeted = true;
      onHello({ run: message.run, changes: message.changes });
      this.#send({ type: 'sites', sites: [...sites.list()] });
    } else if (message.type === 'call') {
      const { id, siteId, call, withinMs } = message;
      void this.#answer(id, sites.call(siteId, call, withinMs));
    } else {
      void this.#answer(
        message.id,
        onChange(message.number, message.change).then(() => null),
      );
    }
  }

  async #answer(id: number, work: Promise<unknown>): Promise<void> {
    const { code, data } = await work.then(
      (answer) => ({ ...ANSWERED, data: answer }),
      (error: unknown) => this.#refusal(error),
    );
    this.#send({ type: 'answer', id, code, data });
  }

  #refusal(error: unknown): { readonly code: number; readonly data: unknown } {
    if (error instanceof CallError) return error;
    this.#options.log.error({ err: error }, 'what another server asked for failed');
    return { code: ERROR_CODES.serviceBusy, data: null };
  }

  #send(message: AnsweringMessage): void {
    const { socket, log } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > UNSENT_MAX_BYTES) {
      log.warn({}, 'another server does not read what it is sent; its line is cut');
      socket.terminate();
      return;
    }
    const text = Buffer.from(JSON.stringify(message));
    if (text.length <= NODE_MESSAGE_MAX_BYTES) socket.send(text, { binary: false });
    else if (message.type === 'answer') this.#send({ ...message, code: ERROR_CODES.serviceBusy, data: null });
  }
}
