// The queue of files that wait to be copied: what the list of recordings has and the copies do not, for channels with a cloud order.
import type { CloudOrder } from '@vedette/contract/site/site-cloud.ts';
import { dayFolder, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { Copies } from './copies.ts';

export interface WaitingFile {
  readonly key: TrackKey;
  readonly startMs: number;
  readonly bytes: number;
  readonly order: CloudOrder;
}

type Track = RecordingsStore['tracks'] extends Iterable<infer T> ? T : never;

/** An alarm may mark recordings of so long ago, and backfill adds files behind the newest. */
const LOOKED_BACK_MS = 10 * 60_000;

export class WaitingFiles {
  readonly #copies: Copies;
  /** By track and start. */
  readonly #waiting = new Map<string, Map<number, WaitingFile>>();
  readonly #lookedTo = new Map<string, number>();

  constructor(copies: Copies) {
    this.#copies = copies;
  }

  /** Looks at everything again next time: another folder, other orders, or files behind the newest. */
  restart(): void {
    this.#waiting.clear();
    this.#lookedTo.clear();
  }

  /** Finds files that were finished since the last time and that a copy would still keep. */
  look(store: RecordingsStore, orderOf: (channelId: string) => CloudOrder | null, nowMs: number): void {
    for (const track of store.tracks) {
      const order = orderOf(track.key.channelId);
      if (order) this.#lookAt(store, track, order, nowMs);
    }
  }

  /** Oldest first, but the newest first of channels that copy alarms alone. */
  *inOrder(): Iterable<WaitingFile> {
    const queues = [...this.#waiting.values()].map((files) => [...files.values()]);
    for (const files of queues) if (files[0]?.order.comboType === 2) files.reverse();
    for (let at = 0; queues.some((files) => at < files.length); at += 1) {
      for (const files of queues) {
        const file = files[at];
        if (file) yield file;
      }
    }
  }

  ofChannel(channelId: string): WaitingFile[] {
    return [...this.#waiting.values()].flatMap((files) =>
      [...files.values()].filter(({ key }) => key.channelId === channelId),
    );
  }

  has(key: TrackKey, startMs: number): boolean {
    return this.#waiting.get(nameOf(key))?.has(startMs) ?? false;
  }

  /** It was copied, or is gone. */
  done(key: TrackKey, startMs: number): void {
    this.#waiting.get(nameOf(key))?.delete(startMs);
  }

  #lookAt(store: RecordingsStore, track: Track, order: CloudOrder, nowMs: number): void {
    const { key } = track;
    const name = nameOf(key);
    const from = this.#lookedTo.get(name) ?? Number.NEGATIVE_INFINITY;
    const waiting = this.#waiting.get(name) ?? new Map<number, WaitingFile>();
    this.#waiting.set(name, waiting);
    let to = from;
    for (const { startMs, endMs, mediaBytes, indexBytes } of track.files) {
      if (startMs < from - LOOKED_BACK_MS || endMs < nowMs - order.days * DAY_MS) continue;
      if (track.find(startMs)?.isOpen !== false) continue;
      to = Math.max(to, startMs);
      const isCopied = this.#copies.find(dayFolder(store.folderOf(key, startMs), key, startMs), startMs) !== null;
      if (isCopied || !isOrdered(track, order, startMs, endMs)) continue;
      waiting.set(startMs, { key, startMs, bytes: mediaBytes + indexBytes, order });
    }
    this.#lookedTo.set(name, to);
  }
}

function isOrdered({ notes }: Track, { comboType }: CloudOrder, startMs: number, endMs: number): boolean {
  return comboType === 3 || notes.marks('alarm', startMs, endMs).length > 0;
}

function nameOf({ channelId, quality }: TrackKey): string {
  return `${channelId}/${quality}`;
}
