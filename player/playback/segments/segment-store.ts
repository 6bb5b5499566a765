// Fetches segments, init segments and keyframes, each once, and caches the bytes of the last ones.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import { type DecoderSetup, readDecoderSetup } from './decoder-setup.ts';
import type { SegmentEntry } from './fragment-index.ts';
import { type VideoSample, readSegmentSamples, type SegmentSamples } from './fragment-samples.ts';
import { type Fetcher, requestMedia } from './media-request.ts';

export interface LoadedSegment extends SegmentSamples {
  readonly entry: SegmentEntry;
  readonly setup: DecoderSetup;
  readonly bytes: number;
}

export interface LoadedKeyframe {
  readonly entry: SegmentEntry;
  readonly setup: DecoderSetup;
  readonly picture: VideoSample;
}

/** The engine answered with a status of its own: 401 the ticket is over, 403 the right ended (`code`), 404 the recordings are gone. */
export class SegmentRefused extends Error {
  override readonly name = 'SegmentRefused';
  readonly status: number;
  readonly code: number | null;

  constructor(status: number, code: number | null) {
    super(`a segment was answered with status ${status}`);
    this.status = status;
    this.code = code;
  }
}

/** About a minute of one main stream, or four seconds each of sixteen. */
const KEPT_BYTES = 48 * 1024 * 1024;
/** What failed is asked for again after this; each time that it fails once more the wait doubles, up to the longest. */
const AGAIN_MS = 250;
const AGAIN_LONGEST_MS = 2000;
/** Addresses whose failures are remembered. */
const FAILED_KEPT = 64;

export class SegmentStore {
  readonly #fetch: Fetcher;
  readonly #segments = new Map<string, Promise<LoadedSegment>>();
  readonly #setups = new Map<string, Promise<DecoderSetup>>();
  /** Bytes of what was loaded, oldest use first. */
  readonly #sizes = new Map<string, number>();
  /** When an address answered last, ms. */
  readonly #answered = new Map<string, number>();
  /** How often an address failed since it answered last. */
  readonly #failed = new Map<string, number>();
  #bytes = 0;

  constructor(fetcher: Fetcher = (address, init) => fetch(address, init)) {
    this.#fetch = fetcher;
  }

  /** When anything below this address answered last, `performance.now()`; 0: never. */
  answeredAt(base: string): number {
    return this.#answered.get(base) ?? 0;
  }

  /** Rejects with SegmentRefused, or as `fetch` does. */
  segment(entry: SegmentEntry): Promise<LoadedSegment> {
    const known = this.#segments.get(nameOf(entry));
    if (known) {
      this.#used(nameOf(entry));
      return known;
    }
    const loading = this.#load(entry);
    this.#segments.set(nameOf(entry), loading);
    loading.then(
      ({ bytes }) => this.#keep(nameOf(entry), bytes),
      () => this.#segments.delete(nameOf(entry)),
    );
    return loading;
  }

  /** The keyframe alone; taken from the whole segment where that is there. Rejects as `segment` does. */
  async key(entry: SegmentEntry, signal: AbortSignal): Promise<LoadedKeyframe> {
    if (this.#sizes.has(nameOf(entry))) {
      const { video, setup } = await this.segment(entry);
      return firstKeyframe(entry, setup, video);
    }
    const [setup, bytes] = await Promise.all([this.#setup(entry), this.#get(`${entry.base}${entry.name}.key`, signal)]);
    return firstKeyframe(entry, setup, readSegmentSamples(bytes, setup.tracks).video);
  }

  async #load(entry: SegmentEntry): Promise<LoadedSegment> {
    const [setup, bytes] = await Promise.all([this.#setup(entry), this.#get(`${entry.base}${entry.name}.m4s`)]);
    return { ...readSegmentSamples(bytes, setup.tracks), entry, setup, bytes: bytes.length };
  }

  #setup({ base, init }: SegmentEntry): Promise<DecoderSetup> {
    const address = `${base}${init}.mp4`;
    const known = this.#setups.get(address);
    if (known) return known;
    const loading = this.#get(address).then(readDecoderSetup);
    this.#setups.set(address, loading);
    loading.catch(() => this.#setups.delete(address));
    return loading;
  }

  /** At once the first time; a line that broke and recordings that can't be read are not asked again with every picture of the screen. */
  async #get(address: string, signal?: AbortSignal): Promise<Uint8Array> {
    const failures = this.#failed.get(address) ?? 0;
    if (failures > 0)
      await pause(backoffDelayMs(failures - 1, 0, { firstMs: AGAIN_MS, maxMs: AGAIN_LONGEST_MS }), signal);
    try {
      const { ok, status, bytes } = await requestMedia(this.#fetch, address, signal);
      if (!ok) throw new SegmentRefused(status, codeOf(bytes));
      this.#answered.set(address.slice(0, address.lastIndexOf('/') + 1), performance.now());
      this.#failed.delete(address);
      return bytes;
    } catch (error) {
      if (!signal?.aborted) this.#remember(address, failures + 1);
      throw error;
    }
  }

  #remember(address: string, failures: number): void {
    this.#failed.delete(address);
    this.#failed.set(address, failures);
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > FAILED_KEPT && oldest !== undefined) this.#failed.delete(oldest);
  }

  #keep(name: string, bytes: number): void {
    this.#sizes.set(name, bytes);
    this.#bytes += bytes;
    for (const [oldest, size] of this.#sizes) {
      if (this.#bytes <= KEPT_BYTES || oldest === name) break;
      this.#sizes.delete(oldest);
      this.#segments.delete(oldest);
      this.#bytes -= size;
    }
  }

  #used(name: string): void {
    const size = this.#sizes.get(name);
    if (size === undefined) return;
    this.#sizes.delete(name);
    this.#sizes.set(name, size);
  }
}

/** Two windows name the same segment, with tickets of their own: the bytes are those of the channel's first. */
function nameOf({ base, name }: SegmentEntry): string {
  return `${base}${name}`;
}

function codeOf(body: Uint8Array): number | null {
  try {
    const { code } = JSON.parse(new TextDecoder().decode(body)) as { code?: unknown };
    return typeof code === 'number' ? code : null;
  } catch {
    return null;
  }
}

/** Rejects with what the signal was aborted for. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

function firstKeyframe(entry: SegmentEntry, setup: DecoderSetup, pictures: readonly VideoSample[]): LoadedKeyframe {
  const picture = pictures.find(({ isKey }) => isKey);
  if (!picture) throw new SegmentRefused(404, null);
  return { entry, setup, picture };
}
