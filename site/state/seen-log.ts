// In which minutes the channels of this site were looked at for which classes and what was seen, kept across restarts, a file for each day.
import { join } from 'node:path';
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';
import {
  dayOfMinute,
  minuteOf,
  SEEN_DAY_BYTES,
  SEEN_KINDS,
  type SeenDay,
  SeenMinutes,
} from '@vedette/rules/retention/seen-minutes.ts';
import { UnbrokenLook } from '@vedette/rules/retention/unbroken-look.ts';

export interface SeenLogOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly folder: string;
  readonly onFault: (error: unknown) => void;
}

/** What a kill may lose: these minutes count as not looked at, and their recordings are kept the longer. */
const WRITE_AFTER_MS = 20_000;
/** No recording is removed early later than this. */
const KEPT_DAYS = 366;
const FILE = /^(\d{1,6})\.json$/;

/** By channel; bits in base64, by what they tell. */
type StoredChannels = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How a channel is looked at now. */
export interface Look {
  /** The same set as long as the same classes are looked for; null: nobody looks. */
  readonly watched: ReadonlySet<ObjectClass> | null;
  readonly inView: Iterable<ObjectClass>;
}

interface SeenChannel {
  readonly minutes: SeenMinutes;
  readonly look: UnbrokenLook;
}

export class SeenLog {
  readonly #options: SeenLogOptions;
  readonly #channels = new Map<string, SeenChannel>();
  readonly #changedDays = new Set<number>();
  readonly #writes = new SerialQueue();
  #cancelWrite: (() => void) | null = null;

  constructor(options: SeenLogOptions) {
    this.#options = options;
  }

  /** A day that cannot be read is logged, and counts as not looked at. */
  async load(): Promise<void> {
    const { disk, folder, onFault } = this.#options;
    for (const { name } of await disk.list(folder)) {
      const day = Number(FILE.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(day)) continue;
      try {
        this.#load(day, JSON.parse((await disk.readWhole(join(folder, name))).toString('utf8')) as StoredChannels);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') onFault(error);
      }
    }
  }

  /** Called several times a second; a channel of which nothing is told is not looked at. */
  look(channelId: string, { watched, inView }: Look): void {
    const now = this.#options.clock.wallMs();
    const { minutes, look } = this.#channel(channelId);
    for (const one of inView) if (minutes.see(minuteOf(now), one)) this.#changed(minuteOf(now));
    for (const minute of look.tick(now, watched)) {
      for (const one of watched ?? []) if (minutes.look(minute, one)) this.#changed(minute);
    }
  }

  /** The channel was looked at for all of the classes all the time, and none of them was in view. */
  isEmpty(channelId: string, classes: readonly ObjectClass[], startMs: number, endMs: number): boolean {
    return this.#channels.get(channelId)?.minutes.isEmpty(classes, startMs, endMs) ?? false;
  }

  async close(): Promise<void> {
    if (this.#cancelWrite !== null) this.#write();
    await this.#writes.drained();
  }

  #load(day: number, stored: StoredChannels): void {
    for (const [channelId, texts] of Object.entries(stored)) {
      this.#channel(channelId).minutes.load(day, dayOf(texts));
    }
  }

  #channel(channelId: string): SeenChannel {
    const known = this.#channels.get(channelId) ?? { minutes: new SeenMinutes(), look: new UnbrokenLook() };
    this.#channels.set(channelId, known);
    return known;
  }

  #changed(minute: number): void {
    this.#changedDays.add(dayOfMinute(minute));
    this.#cancelWrite ??= this.#options.clock.after(WRITE_AFTER_MS, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = null;
    const days = [...this.#changedDays];
    this.#changedDays.clear();
    this.#writes.run(() => this.#writeDays(days)).catch(this.#options.onFault);
  }

  async #writeDays(days: readonly number[]): Promise<void> {
    const { disk, folder, clock } = this.#options;
    await disk.makeFolder(folder);
    for (const day of days) {
      const channels = [...this.#channels].flatMap(([channelId, { minutes }]) => {
        const bits = minutes.day(day);
        return bits === null ? [] : [[channelId, textsOf(bits)] as const];
      });
      await disk.replaceFile(join(folder, `${day}.json`), Buffer.from(JSON.stringify(Object.fromEntries(channels))));
    }
    await this.#forget(dayOfMinute(minuteOf(clock.wallMs())) - KEPT_DAYS);
  }

  async #forget(before: number): Promise<void> {
    const { disk, folder } = this.#options;
    for (const { minutes } of this.#channels.values()) minutes.forgetBefore(before);
    for (const { name } of await disk.list(folder)) {
      if (Number(FILE.exec(name)?.[1] ?? before) < before) await disk.removeFile(join(folder, name));
    }
  }
}

function textsOf(bits: SeenDay): Record<string, string> {
  return Object.fromEntries(Object.entries(bits).map(([kind, bytes]) => [kind, Buffer.from(bytes).toString('base64')]));
}

/** What is damaged counts as not looked at: the whole day, since a class that is missing would count as not seen. */
function dayOf(texts: StoredChannels[string]): SeenDay {
  const bits: SeenDay = {};
  for (const kind of SEEN_KINDS) {
    const text = texts[kind];
    if (text === undefined) continue;
    const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : null;
    if (bytes?.length !== SEEN_DAY_BYTES) return {};
    bits[kind] = Uint8Array.from(bytes);
  }
  return bits;
}
