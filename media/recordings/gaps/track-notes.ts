// Notes of a track beside its files: alarm marks, backfilled ranges and reasons of gaps; one append-only file per track, 32 bytes a record.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import { checkedEntries, withChecksum } from '../entries/checksummed-entry.ts';

/** Marks describe recordings, reasons describe gaps. `damaged`: failed its checksum when read. */
export type MarkKind = 'alarm' | 'filled' | 'damaged';
export type NoteKind = MarkKind | GapReason;

export interface TrackNote {
  readonly kind: NoteKind;
  readonly startMs: number;
  readonly endMs: number;
}

export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

export const NOTES_NAME = 'notes';
const LINE_BYTES = 32;
/** Stored as the index in this list: only append. */
const KINDS: readonly NoteKind[] = [
  'alarm',
  'cameraOffline',
  'streamLost',
  'disk',
  'planOff',
  'siteDown',
  'clockStep',
  'unknown',
  'filled',
  'siteBusy',
  'damaged',
  'awaitingKeyframe',
  'empty',
];

export function writeNote({ kind, startMs, endMs }: TrackNote): Buffer {
  const bytes = Buffer.alloc(LINE_BYTES);
  bytes.writeDoubleBE(startMs, 0);
  bytes.writeDoubleBE(endMs, 8);
  bytes.writeUInt8(KINDS.indexOf(kind), 16);
  return withChecksum(bytes);
}

/** Damaged lines are skipped; a later line of the same kind and start replaces the earlier one. */
export function readNotes(bytes: Buffer): TrackNote[] {
  const notes = new Map<string, TrackNote>();
  for (const line of checkedEntries(bytes, LINE_BYTES)) {
    const kind = KINDS[line.readUInt8(16)];
    if (kind === undefined) continue;
    const note = { kind, startMs: line.readDoubleBE(0), endMs: line.readDoubleBE(8) };
    notes.set(`${kind}/${note.startMs}`, note);
  }
  return [...notes.values()];
}

/** A truncated last line would shift all later ones. */
export function isWholeLines(bytes: Buffer): boolean {
  return bytes.length % LINE_BYTES === 0;
}

export class TrackNotes {
  #notes: TrackNote[] = [];
  /** Not on the disk yet. */
  #unwritten: TrackNote[] = [];

  /** Of each that is known already, from another folder or noted since, the one that ends later stays. */
  load(notes: readonly TrackNote[]): void {
    const known = new Map<string, TrackNote>();
    for (const note of [...notes, ...this.#notes]) {
      const name = `${note.kind}/${note.startMs}`;
      if ((known.get(name)?.endMs ?? -Infinity) <= note.endMs) known.set(name, note);
    }
    this.#notes = [...known.values()].sort((a, b) => a.startMs - b.startMs);
  }

  /** Replaces one of the same kind and start: continuing gaps are noted again with a later end. True if new. */
  set(note: TrackNote): boolean {
    const isSame = (one: TrackNote): boolean => one.kind === note.kind && one.startMs === note.startMs;
    const before = this.#notes.length;
    this.#notes = this.#notes.filter((one) => !isSame(one));
    const isNew = this.#notes.length === before;
    const at = this.#notes.findLastIndex((one) => one.startMs <= note.startMs);
    this.#notes.splice(at + 1, 0, note);
    this.#unwritten = this.#unwritten.filter((one) => !isSame(one));
    this.#unwritten.push(note);
    return isNew;
  }

  /** Unwritten notes; `putBack` if writing failed. */
  takeUnwritten(): readonly TrackNote[] {
    return this.#unwritten.splice(0);
  }

  putBack(notes: readonly TrackNote[]): void {
    this.#unwritten.unshift(...notes);
  }

  get all(): readonly TrackNote[] {
    return this.#notes;
  }

  /** End of the newest note; null without any. */
  get endMs(): number | null {
    return this.#notes.reduce<number | null>((latest, { endMs }) => Math.max(latest ?? endMs, endMs), null);
  }

  /** Marks of a kind that touch the range, merged, oldest first. */
  marks(wanted: MarkKind, from: number, to: number): TimeRange[] {
    const joined: { startMs: number; endMs: number }[] = [];
    for (const { kind, startMs, endMs } of this.#notes) {
      if (kind !== wanted || endMs <= from || startMs >= to) continue;
      const last = joined.at(-1);
      if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
      else joined.push({ startMs, endMs });
    }
    return joined;
  }

  /** Reasons that touch the range, oldest first; they may overlap. */
  reasons(from: number, to: number): (TimeRange & { readonly kind: GapReason })[] {
    return this.#notes.flatMap(({ kind, startMs, endMs }) =>
      isMark(kind) || endMs <= from || startMs >= to ? [] : [{ kind, startMs, endMs }],
    );
  }

  /** Forgets what ended before the oldest recordings. */
  prune(beforeMs: number): void {
    if (this.#notes.some(({ endMs }) => endMs < beforeMs)) {
      this.#notes = this.#notes.filter(({ endMs }) => endMs >= beforeMs);
    }
  }
}

function isMark(kind: NoteKind): kind is MarkKind {
  return kind === 'alarm' || kind === 'filled' || kind === 'damaged';
}
