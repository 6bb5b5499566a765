// Searches devices for the recordings on their own storage, day by day, and caches the results.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { mergeRanges, clipRanges } from './time-ranges.ts';

export interface ChannelPlace {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface EdgeRecordingSearchOptions {
  readonly clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  /** Asks the device; rejects with DeviceFault. */
  readonly ask: (place: ChannelPlace, range: TimeRange, signal: AbortSignal) => Promise<readonly TimeRange[]>;
}

interface Day {
  readonly askedMs: number;
  readonly spans: readonly TimeRange[];
}

interface Refusal {
  readonly untilMs: number;
  readonly fault: DeviceFault;
}

/** Past days change only when the device overwrites old recordings. */
const PAST_KEPT_MS = 600_000;
const TODAY_KEPT_MS = 20_000;
/** Wait before asking a device again after a failure. */
const REFUSAL_KEPT_MS = 10_000;
const ASK_MS = 15_000;
/** Thirty days of a hundred channels. */
const DAYS_KEPT = 3000;
/** Longest range of the calls. */
const DAYS_AT_ONCE = 370;
const SEAM_MS = 1000;

export class EdgeRecordingSearch {
  readonly #options: EdgeRecordingSearchOptions;
  readonly #days = new Map<string, Day>();
  readonly #refusals = new Map<string, Refusal>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(options: EdgeRecordingSearchOptions) {
    this.#options = options;
  }

  /** Cut to the range, joined, oldest first. Rejects with DeviceFault; RangeError for more than a year. */
  async held(place: ChannelPlace, range: TimeRange): Promise<TimeRange[]> {
    const endMs = Math.min(range.endMs, this.#options.clock.wallMs());
    if (endMs <= range.startMs) return [];
    const first = Math.floor(range.startMs / DAY_MS);
    const last = Math.floor((endMs - 1) / DAY_MS);
    if (last - first >= DAYS_AT_ONCE) throw new RangeError('more days than a device is asked for at once');
    await this.#learn(place, first, last);
    const spans: TimeRange[] = [];
    for (let day = first; day <= last; day += 1) spans.push(...(this.#days.get(keyOf(place, day))?.spans ?? []));
    return clipRanges(mergeRanges(spans, SEAM_MS), range.startMs, endMs);
  }

  /** For example when it was offline, or was replaced. */
  forget(deviceSerial: string): void {
    for (const map of [this.#days, this.#refusals])
      for (const key of map.keys()) if (key.startsWith(`${deviceSerial}/`)) map.delete(key);
  }

  /** Requests for one channel run one by one: the first often answers the second. */
  async #learn(place: ChannelPlace, first: number, last: number): Promise<void> {
    const name = nameOf(place);
    while (this.#asking.has(name)) await this.#asking.get(name)?.catch(() => undefined);
    let [from, to] = [first, last];
    while (from <= to && this.#isKnown(place, from)) from += 1;
    while (to >= from && this.#isKnown(place, to)) to -= 1;
    if (from > to) return;
    const refusal = this.#refusals.get(name);
    if (refusal && refusal.untilMs > this.#options.clock.monotonicMs()) throw refusal.fault;
    const asking = this.#ask(place, from, to).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    await asking;
  }

  async #ask(place: ChannelPlace, from: number, to: number): Promise<void> {
    const { ask, clock } = this.#options;
    const range = { startMs: from * DAY_MS, endMs: Math.min((to + 1) * DAY_MS, clock.wallMs()) };
    try {
      const found = mergeRanges(await ask(place, range, AbortSignal.timeout(ASK_MS)), SEAM_MS);
      const askedMs = clock.monotonicMs();
      for (let day = from; day <= to; day += 1) {
        this.#keep(keyOf(place, day), { askedMs, spans: clipRanges(found, day * DAY_MS, (day + 1) * DAY_MS) });
      }
      this.#refusals.delete(nameOf(place));
    } catch (error) {
      const fault = error instanceof DeviceFault ? error : null;
      if (fault) this.#refusals.set(nameOf(place), { fault, untilMs: clock.monotonicMs() + REFUSAL_KEPT_MS });
      throw error;
    }
  }

  #keep(key: string, day: Day): void {
    this.#days.delete(key);
    this.#days.set(key, day);
    const [oldest] = this.#days.keys();
    if (this.#days.size > DAYS_KEPT && oldest !== undefined) this.#days.delete(oldest);
  }

  #isKnown(place: ChannelPlace, day: number): boolean {
    const known = this.#days.get(keyOf(place, day));
    if (!known) return false;
    const { clock } = this.#options;
    const isOver = (day + 1) * DAY_MS < clock.wallMs() - PAST_KEPT_MS;
    return clock.monotonicMs() - known.askedMs < (isOver ? PAST_KEPT_MS : TODAY_KEPT_MS);
  }
}

function nameOf({ deviceSerial, channelNo }: ChannelPlace): string {
  return `${deviceSerial}/${channelNo}`;
}

function keyOf(place: ChannelPlace, day: number): string {
  return `${nameOf(place)}/${day}`;
}
