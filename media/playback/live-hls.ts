// Live HLS for clients without WebSocket or MSE: a sliding window of segments of about two seconds, made once per stream.
import type { Fragment, Run } from '../recorder/fragment.ts';
import { AUDIO_LEAD_TICKS, layOutFragment } from '../recorder/fragment-bytes.ts';
import { Fragmenter } from '../recorder/fragmenter.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { OpenSource } from '../stream/source.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { type LiveSegment, writeLivePlaylist } from './hls-playlist.ts';
import { withoutAudio } from './encoded-audio/hls-init.ts';

const TARGET_S = 2;
/** Listed segments; older ones can be fetched a little longer. */
const LISTED = 6;
const KEPT = 10;
const WINDOW_MAX_BYTES = 64 * 1024 * 1024;

interface HeldSegment extends LiveSegment {
  readonly bytes: Buffer;
}

export interface LiveHlsOptions {
  readonly hub: StreamHub;
  readonly streamKey: string;
  readonly open: OpenSource;
  readonly monotonicMs: () => number;
}

export class LiveHls implements StreamConsumer {
  readonly isPatient = true;
  readonly #fragmenter: Fragmenter;
  readonly #lease: StreamLease;
  readonly #leave: () => void;
  #segments: HeldSegment[] = [];
  readonly #inits = new Map<number, Buffer>();
  #run: Run | null = null;
  #initNumber = 0;
  #next = 0;
  #breaksBefore = 0;
  #fragments: Fragment[] = [];
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor({ hub, streamKey, open, monotonicMs }: LiveHlsOptions) {
    let runs = 0;
    this.#fragmenter = new Fragmenter({
      monotonicMs,
      newRunId: () => {
        runs += 1;
        return runs;
      },
      emit: (fragment) => this.#add(fragment),
      drop: () => undefined,
    });
    this.#lease = hub.acquire(streamKey, open);
    this.#leave = this.#lease.stream.addConsumer(this);
  }

  /** Resolves when a segment is available or the stream is closed. */
  async ready(): Promise<void> {
    while (this.#segments.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  playlist(): string {
    const segments = this.#segments.slice(-LISTED);
    const hidden = this.#segments.length - segments.length;
    const breaks = this.#segments.slice(0, hidden + 1).filter((one) => one.isBreak).length;
    return writeLivePlaylist({ segments, breaksBefore: this.#breaksBefore + breaks, targetSeconds: TARGET_S });
  }

  segment(number: number): Buffer | null {
    return this.#segments.find((one) => one.number === number)?.bytes ?? null;
  }

  init(number: number): Buffer | null {
    return this.#inits.get(number) ?? null;
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
    this.#lease.release();
    this.#wake();
  }

  format(format: MediaFormat): void {
    this.#fragmenter.format(format);
  }

  accessUnit(unit: AccessUnit): void {
    this.#fragmenter.accessUnit(unit);
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#fragmenter.discontinuity(reason);
  }

  state(state: SourceState): void {
    if (state.state !== 'playing') this.#fragmenter.flush();
  }

  #add(fragment: Fragment): void {
    const ticks = this.#fragments.reduce((sum, one) => sum + one.durationTicks, 0);
    const startsNew = fragment.isDiscontinuity || (fragment.isKey && ticks >= (TARGET_S - 0.5) * VIDEO_TIMESCALE);
    if (this.#fragments.length > 0 && startsNew) this.#close(ticks);
    this.#fragments.push(fragment);
  }

  #close(durationTicks: number): void {
    const fragments = this.#fragments;
    const [first] = fragments as [Fragment];
    this.#fragments = [];
    const isBreak = first.isDiscontinuity && this.#next > 0;
    if (first.run !== this.#run) this.#startRun(first.run);
    const buffers: Uint8Array[] = [];
    for (const [at, fragment] of fragments.entries()) {
      const { run } = fragment;
      const played = run.audio === 'playable' ? fragment : { ...fragment, audio: null };
      buffers.push(...layOutFragment(played, -AUDIO_LEAD_TICKS, (this.#next + 1) * 1000 + 2 * at).buffers);
    }
    const { wallMs } = first;
    const init = this.#initNumber;
    this.#segments.push({ number: this.#next, wallMs, durationTicks, init, isBreak, bytes: Buffer.concat(buffers) });
    this.#next += 1;
    this.#trim();
    this.#wake();
  }

  #startRun(run: Run): void {
    this.#run = run;
    this.#initNumber += 1;
    this.#inits.set(this.#initNumber, run.audio === 'g711' ? withoutAudio(run.init) : run.init);
  }

  #trim(): void {
    let held = this.#segments.reduce((sum, one) => sum + one.bytes.length, 0);
    while (this.#segments.length > KEPT || (held > WINDOW_MAX_BYTES && this.#segments.length > 1)) {
      const gone = this.#segments.shift() as HeldSegment;
      held -= gone.bytes.length;
      if (gone.isBreak) this.#breaksBefore += 1;
    }
    const oldest = this.#segments[0]?.init ?? 0;
    for (const number of this.#inits.keys()) if (number < oldest) this.#inits.delete(number);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
