// One connection of a site: sends numbered calls, matches answers, passes events on, and ends all of it when the socket closes.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ServerToSite, SiteCallName, SiteCalls, SiteEvent, SiteToServer } from '@vedette/contract/site.ts';
import type { DirectTry } from '@vedette/contract/site-far.ts';
import type { WebSocket } from 'ws';
import { CallError, callErrorOf } from '../call-error.ts';
import type { Clock } from '../clock/clock.ts';

const PTZ_CALLS = [
  'ptzStart',
  'ptzStop',
  'presets',
  'presetAdd',
  'presetRemove',
  'presetGoto',
  'patrols',
  'patrolStart',
  'tourOperate',
] as const;
/** Calls that wait for a device; silence then is the device's (2317), else the site's (1012). */
const DEVICE_CALLS: ReadonlySet<SiteCallName> = new Set([
  'probe',
  'reboot',
  'keyframe',
  'streams',
  'capabilities',
  'talk',
  'configSections',
  'configRead',
  'configWrite',
  'upgradeBegin',
  'formatStart',
  'outputSwitch',
  ...PTZ_CALLS,
]);
/** Longer than the site gives the device itself. */
const TIMEOUT_MS: Partial<Record<SiteCallName, number>> = {
  probe: 20_000,
  assign: 30_000,
  configSections: 25_000,
  configRead: 14_000,
  configWrite: 17_000,
  formatStart: 16_000,
  upgradePart: 30_000,
  upgradeRun: 16_000,
};
const TIMEOUT_USUAL_MS = 8000;
/** Stored in one commit: under a storm of ten thousand a second it takes a fraction of one, and what each costs is shared. */
const EVENTS_AT_ONCE = 4000;

/** The first message of a site. */
export type SiteHello = Extract<SiteToServer, { type: 'hello' }>;

interface Waiting {
  readonly name: SiteCallName;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancelTimer: () => void;
}

export class SitePeer {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #onEvents: (events: readonly SiteEvent[]) => Promise<void>;
  readonly #onDirect: (direct: DirectTry) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** In the order of the site; those that come while some are being stored are stored together. */
  #events: { readonly seq: number; readonly event: SiteEvent }[] = [];
  #isTaking = false;
  /** One was not stored: what comes after it on this line must not be stored before it comes again. */
  #isBroken = false;

  constructor(options: {
    socket: WebSocket;
    clock: Clock;
    onEvents: (events: readonly SiteEvent[]) => Promise<void>;
    onDirect: (direct: DirectTry) => void;
    onFault: (error: unknown) => void;
  }) {
    this.#socket = options.socket;
    this.#clock = options.clock;
    this.#onEvents = options.onEvents;
    this.#onDirect = options.onDirect;
    this.#onFault = options.onFault;
  }

  call<N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const cancelTimer = this.#clock.after(TIMEOUT_MS[name] ?? TIMEOUT_USUAL_MS, () => {
        this.#waiting.delete(id);
        reject(silence(name));
      });
      const keep = (data: unknown) => resolve(data as SiteCalls[N]['output']);
      this.#waiting.set(id, { name, resolve: keep, reject, cancelTimer });
      this.#send({ type: 'call', id, name, input });
    });
  }

  /** A message after `hello`; anything that is no such message ends the connection. */
  receive(message: SiteToServer): void {
    if (message.type === 'answer') {
      this.#settle(message.id, message.code, message.data);
    } else if (message.type === 'event') {
      if (this.#isBroken) return;
      this.#events.push({ seq: message.seq, event: message.event });
      if (!this.#isTaking) void this.#takeAll();
    } else if (message.type === 'direct') {
      this.#onDirect({ at: this.#clock.now(), isConnected: message.isConnected === true });
    } else {
      this.#socket.close(4400, 'hello twice');
    }
  }

  close(): void {
    for (const waiting of this.#waiting.values()) {
      waiting.cancelTimer();
      waiting.reject(new CallError('serviceBusy'));
    }
    this.#waiting.clear();
    this.#socket.terminate();
  }

  /** Acknowledged only when stored; a failure leaves them with the site, which sends them again after a reconnect. */
  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    try {
      while (this.#events.length > 0) {
        const taken = this.#events.splice(0, EVENTS_AT_ONCE);
        await this.#onEvents(taken.map(({ event }) => event));
        this.#send({ type: 'ack', seq: taken.at(-1)?.seq ?? 0 });
      }
    } catch (error) {
      this.#isBroken = true;
      this.#events = [];
      this.#onFault(error);
      this.#socket.close(1011, 'event not stored');
    } finally {
      this.#isTaking = false;
    }
  }

  #settle(id: number, code: number, data: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.cancelTimer();
    if (code === ERROR_CODES.success) waiting.resolve(data);
    else waiting.reject(callErrorOf(code, data));
  }

  #send(message: ServerToSite): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function silence(name: SiteCallName): CallError {
  return DEVICE_CALLS.has(name)
    ? new CallError('devResponseTimeOut', { reason: 'timeout' })
    : new CallError('serviceBusy');
}
