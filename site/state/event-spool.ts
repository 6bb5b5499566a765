// Stores the site's events until the server acknowledges them: one JSON line per event, synced to disk.
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import { SpooledSightings } from './spooled-sightings.ts';
import { type Disk, type DiskFile, errorCode } from '@vedette/media/recordings/disk.ts';

export interface SpooledEvent {
  readonly seq: number;
  readonly event: SiteEvent;
}

export interface EventSpoolOptions {
  readonly disk: Disk;
  readonly path: string;
  /** The disk rejects events: they are still sent while this process lives. */
  readonly onFault: (error: unknown) => void;
}

/** The file is rewritten at this length, and whenever it has doubled, so that it does not fill the disk. */
const COMPACT_BYTES = 1 << 20;
/** Beyond this number the oldest events are dropped, to bound memory. */
const KEPT_MAX = 50_000;
/** Dropped in batches, since removing one from the front of a long list costs as much. */
const DROPPED_AT_ONCE = 1000;

export class EventSpool {
  readonly #options: EventSpoolOptions;
  #events: SpooledEvent[] = [];
  #nextSeq = 1;
  #bytes = 0;
  #compactAt = COMPACT_BYTES;
  #file: DiskFile | null = null;
  #waiting: string[] = [];
  #writing: Promise<void> | null = null;
  #dropped = 0;
  readonly #sightings = new SpooledSightings();
  readonly #listeners = new Set<(spooled: SpooledEvent) => void>();

  constructor(options: EventSpoolOptions) {
    this.#options = options;
  }

  get dropped(): number {
    return this.#dropped;
  }

  async load(): Promise<void> {
    const text = await this.#read();
    let acked = 0;
    for (const line of text.split('\n')) {
      const parsed = parseLine(line);
      if (!parsed) continue;
      if ('acked' in parsed) acked = Math.max(acked, parsed.acked);
      else {
        this.#events.push(parsed);
        this.#sightings.add(parsed, line.length);
      }
      this.#nextSeq = Math.max(this.#nextSeq, ('acked' in parsed ? parsed.acked : parsed.seq) + 1);
    }
    this.#events = this.#events.filter((spooled) => spooled.seq > acked);
    this.#sightings.ack(acked);
    this.#dropSightings();
    await this.#compact();
  }

  /** Not yet acknowledged, oldest first. */
  pending(): readonly SpooledEvent[] {
    return this.#events;
  }

  onKept(listener: (spooled: SpooledEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listeners are called at once; `flushed` resolves when the line is on disk. */
  add(event: SiteEvent): void {
    const spooled = { seq: this.#nextSeq, event };
    this.#nextSeq += 1;
    this.#events.push(spooled);
    if (this.#events.length >= KEPT_MAX + DROPPED_AT_ONCE) {
      this.#events.splice(0, DROPPED_AT_ONCE);
      this.#dropped += DROPPED_AT_ONCE;
    }
    const line = JSON.stringify(spooled);
    this.#sightings.add(spooled, line.length);
    this.#dropSightings();
    this.#append(line, () => {
      for (const listener of this.#listeners) listener(spooled);
    });
  }

  ack(seq: number): void {
    const first = this.#events.findIndex((spooled) => spooled.seq > seq);
    this.#events.splice(0, first < 0 ? this.#events.length : first);
    this.#sightings.ack(seq);
    this.#append(JSON.stringify({ acked: seq }), () => undefined);
  }

  #dropSightings(): void {
    const tooMany = this.#sightings.takeTooMany();
    if (tooMany.size === 0) return;
    this.#events = this.#events.filter(({ seq }) => !tooMany.has(seq));
    this.#dropped += tooMany.size;
  }

  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async close(): Promise<void> {
    await this.flushed();
    await this.#file?.close();
    this.#file = null;
  }

  readonly #kept: (() => void)[] = [];

  #append(line: string, kept: () => void): void {
    this.#waiting.push(`${line}\n`);
    this.#kept.push(kept);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** Lines that arrive during a sync share the next one. */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const bytes = Buffer.from(this.#waiting.splice(0).join(''));
      const kept = this.#kept.splice(0);
      try {
        if (this.#bytes + bytes.length > this.#compactAt || !this.#file) await this.#compact();
        else await this.#extend(this.#file, bytes);
      } catch (error) {
        this.#options.onFault(error);
      }
      for (const tell of kept) tell();
    }
  }

  async #extend(file: DiskFile, bytes: Buffer): Promise<void> {
    await file.writeAll([bytes], this.#bytes);
    this.#bytes += bytes.length;
    await file.sync();
  }

  /** Writes all held events, including waiting lines. */
  async #compact(): Promise<void> {
    const { disk, path } = this.#options;
    await this.#file?.close();
    this.#file = null;
    const lines = [JSON.stringify({ acked: this.#lastAcked() }), ...this.#events.map((one) => JSON.stringify(one))];
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    await disk.replaceFile(path, bytes);
    this.#file = await disk.openFile(path, 'write');
    this.#bytes = bytes.length;
    this.#compactAt = Math.max(COMPACT_BYTES, 2 * bytes.length);
  }

  #lastAcked(): number {
    return (this.#events[0]?.seq ?? this.#nextSeq) - 1;
  }

  async #read(): Promise<string> {
    try {
      return (await this.#options.disk.readWhole(this.#options.path)).toString('utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return '';
      throw error;
    }
  }
}

function parseLine(line: string): SpooledEvent | { acked: number } | null {
  if (line === '') return null;
  try {
    const parsed = JSON.parse(line) as Partial<SpooledEvent & { acked: number }>;
    if (typeof parsed.acked === 'number') return { acked: parsed.acked };
    if (typeof parsed.seq === 'number' && parsed.event) return { seq: parsed.seq, event: parsed.event };
    return null;
  } catch (error) {
    // The last line may be cut by a kill.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
