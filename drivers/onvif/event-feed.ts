// Keeps one pull-point subscription alive while somebody listens: recreated after every failure, with backoff.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { EventFeedRequest, EventFeedState } from '../kit/event-feed.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { type ChannelTokens, readEventMessage } from './event-message.ts';
import { EventStates } from './event-states.ts';
import type { OnvifSession } from './session/onvif-session.ts';
import { PullPoint } from './pull-point.ts';

export interface EventFeedOptions extends EventFeedRequest {
  readonly session: OnvifSession;
  readonly channels: () => Promise<ChannelTokens>;
}

const retryFirstMs = 1_000;
const retryMaxMs = 60_000;
/** The device has no free subscription; asking more often frees none. */
const limitReachedMs = 300_000;
/** Pause between pulls, against flooding devices. */
const pullsApartMs = 50;
/** A device that answers at once without events does not support waiting. */
const emptyApartMs = 1_000;

export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #states: EventStates;
  readonly #backoff: Backoff;
  #reported: EventFeedState | null = null;
  #isLimitTold = false;
  #hasListened = false;
  #endRest: () => void = () => undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#states = new EventStates(options.memory ?? null);
    const { randomBytes } = options.session.context;
    const chance = () => randomBytes(2).readUInt16BE(0) / 65_536;
    this.#backoff = new Backoff({ firstMs: retryFirstMs, maxMs: retryMaxMs }, chance);
  }

  /** As `ListenToEvents` says. */
  async run(): Promise<void> {
    const { signal, session } = this.#options;
    while (!signal.aborted) {
      let restMs: number;
      try {
        await this.#listen();
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof DeviceFault)) throw error;
        restMs = this.#restAfter(error);
        this.#tell({ kind: 'waiting', fault: error, retryNow: () => this.#endRest() });
      }
      const rest = new AbortController();
      this.#endRest = () => rest.abort();
      await wait(session.context.clock, restMs, AbortSignal.any([signal, rest.signal]));
    }
  }

  /** Returns when the signal aborts; throws DeviceFault if the subscription is unusable. */
  async #listen(): Promise<void> {
    const { signal } = this.#options;
    const channels = await this.#options.channels();
    const point = await this.#subscribe();
    try {
      await point.synchronise();
      if (this.#hasListened) this.#states.resume();
      this.#hasListened = true;
      this.#tell({ kind: 'listening' });
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        await this.#pull(point, channels);
        if (isFirst) this.#backoff.reset();
      }
    } catch (error) {
      if (!signal.aborted) throw asBroken(error);
    } finally {
      await point.close();
    }
  }

  async #subscribe(): Promise<PullPoint> {
    const { session, signal } = this.#options;
    const point = await PullPoint.create(session, signal);
    this.#isLimitTold = false;
    return point;
  }

  async #pull(point: PullPoint, channels: ChannelTokens): Promise<void> {
    const { session, onEvent, signal } = this.#options;
    const { clock, log } = session.context;
    const startedAt = clock.monotonicMs();
    const messages = await point.pull();
    let unread = 0;
    for (const message of messages) {
      const read = message === null ? null : readEventMessage(message, channels);
      if (read === null) unread += 1;
      const event = read === null ? null : this.#states.take(read, clock.wallMs(), clock.monotonicMs());
      if (event !== null) onEvent(event);
    }
    if (unread > 0) log.debug({ unread }, 'the device sent notifications that could not be read');
    const apartMs = messages.length === 0 ? emptyApartMs : pullsApartMs;
    await wait(clock, apartMs - (clock.monotonicMs() - startedAt), signal);
  }

  /** Throws faults that retrying cannot fix. */
  #restAfter(fault: DeviceFault): number {
    if (fault.kind === 'auth' || fault.kind === 'locked' || fault.kind === 'not-supported') throw fault;
    if (!isLimit(fault)) return this.#backoff.next();
    const { log } = this.#options.session.context;
    if (!this.#isLimitTold) log.warn({ fault: fault.fault }, 'the device has no subscription left for us');
    this.#isLimitTold = true;
    return limitReachedMs + this.#backoff.next();
  }

  #tell(state: EventFeedState): void {
    const isSame =
      state.kind === 'waiting' && this.#reported?.kind === 'waiting' && state.fault.kind === this.#reported.fault.kind;
    this.#reported = state;
    if (!isSame) this.#options.onState(state);
  }
}

/** For an existing subscription, 404 means that it ended, not that the device has no events. */
function asBroken(error: unknown): unknown {
  if (!(error instanceof DeviceFault) || error.kind !== 'not-supported') return error;
  return new DeviceFault('device', error.message, { fault: error.fault ?? '', cause: error });
}

/** Subcodes and words for used-up subscriptions (WS-BaseNotification 4.2; ONVIF Core 9.1.1). */
function isLimit({ kind, fault, message }: DeviceFault): boolean {
  if (kind !== 'device') return false;
  const said = `${fault} ${message}`;
  return /SubscribeCreationFailed/iu.test(said) || said.split(/\W/u).some(saysMost);
}

/** `MaximumSubscriptionsReached`, `MaxNotificationProducers` … */
function saysMost(word: string): boolean {
  const most = word.toLowerCase().indexOf('max');
  return most >= 0 && /Reached|Exceeded|Subscri|PullPoint|Notif/iu.test(word.slice(most));
}
