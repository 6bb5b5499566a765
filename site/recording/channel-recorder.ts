// Records one stream of a channel: keeps it connected while its plan or an event needs it, and notes why recordings are missing.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { Recorder, type RecorderReport } from '@vedette/media/recorder/recorder.ts';
import type { RecordDemand } from '@vedette/media/recorder/record-demand.ts';
import { RecordFilter } from '@vedette/media/recorder/record-filter.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import type { RecordingsSink } from '@vedette/media/recordings/recordings-sink.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import type { StreamHub, StreamLease } from '@vedette/media/stream/hub.ts';
import { gapCause } from './gap-cause.ts';
import { GapTracker } from './gap-tracker.ts';
import { random48 } from '@vedette/foundation/random/random-numbers.ts';
import { wait } from '@vedette/foundation/time/wait.ts';

export interface ChannelRecorderOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly recordings: RecordingsSink & Pick<RecordingDisks, 'note' | 'isWritable'>;
  readonly key: TrackKey;
  readonly demand: RecordDemand;
  readonly streamKey: string;
  readonly open: OpenSource;
  readonly isDeviceOffline: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** Without a stored fragment for this long a channel counts as not recording. */
const RECORDING_WITHIN_MS = 8000;
/** Greatest age of the newest stored fragment in normal operation. */
const FRESH_MS = 3000;

export class ChannelRecorder {
  readonly key: TrackKey;
  readonly streamKey: string;
  readonly #options: ChannelRecorderOptions;
  readonly #recorder: Recorder;
  readonly #filter: RecordFilter;
  readonly #gaps: GapTracker;
  #lease: StreamLease | null = null;
  #leave: () => void = () => undefined;
  #wantedSinceMs: number | null = null;
  /** By the monotonic clock. */
  #busyUntilMs = -Infinity;

  constructor(options: ChannelRecorderOptions) {
    const { hub, streamKey, key, recordings, demand } = options;
    this.#options = options;
    this.key = key;
    this.streamKey = streamKey;
    this.#recorder = newRecorder(options, {
      slabs: hub.slabs,
      isAlarm: (wallMs) => demand.isEvent(wallMs),
      onMissing: (range) => recordings.note(key, { kind: this.#wasBusy ? 'siteBusy' : 'disk', ...range }),
    });
    this.#filter = new RecordFilter(this.#recorder, demand);
    this.#gaps = new GapTracker((note) => recordings.note(key, note));
    this.tick();
  }

  get isRecording(): boolean {
    const { lastStoredMs } = this.#recorder;
    const isFresh = lastStoredMs !== null && this.#options.clock.wallMs() - lastStoredMs < RECORDING_WITHIN_MS;
    return this.#filter.isOpen && isFresh;
  }

  /** Pictures arrive, and none with which the recording can begin or go on. */
  get isAwaitingKeyframe(): boolean {
    const stream = this.#lease?.stream;
    if (!stream) return false;
    const state = stream.currentState;
    if (state.state === 'failed') return state.reason === 'no-key-picture';
    return stream.isAwaitingKeyframe || this.#recorder.isAwaitingKeyframe;
  }

  report(): RecorderReport {
    return this.#recorder.report();
  }

  /** @param lateMs how long this process was just stalled. */
  tick(lateMs = 0): void {
    // After a stall, waiting data takes a moment to be stored.
    if (lateMs > 0) this.#busyUntilMs = this.#options.clock.monotonicMs() + FRESH_MS;
    const now = this.#options.clock.wallMs();
    const { demand } = this.#options;
    if (demand.needsStream(now)) this.#connect();
    else this.#disconnect();
    this.#filter.update(now);
    this.#recorder.tick();
    if (demand.wantedSince(now) === null) this.#wantedSinceMs = null;
    else this.#wantedSinceMs ??= now;
    this.#gaps.update(this.#whyNot(now), now, this.#recorder.lastStoredMs);
  }

  async close(): Promise<void> {
    this.#disconnect();
    await this.#recorder.close();
    this.#gaps.end(this.#options.clock.wallMs());
  }

  #connect(): void {
    if (this.#lease) return;
    const { hub, streamKey, open } = this.#options;
    this.#lease = hub.acquire(streamKey, open);
    this.#leave = this.#lease.stream.addConsumer(this.#filter);
  }

  #disconnect(): void {
    if (!this.#lease) return;
    this.#leave();
    this.#filter.leave();
    this.#lease.release();
    this.#lease = null;
  }

  /** Null while recording works. */
  #whyNot(now: number): GapReason | null {
    const stream = this.#lease?.stream;
    const monotonicMs = this.#options.clock.monotonicMs();
    const isRecent = (atMs: number | null | undefined): boolean =>
      typeof atMs === 'number' && monotonicMs - atMs < FRESH_MS;
    const { lastProvenMs, unstoredSinceMs } = this.#recorder;
    return gapCause({
      isWanted: this.#wantedSinceMs !== null,
      isDiskWritable: this.#options.recordings.isWritable,
      isFresh: isRecent(lastProvenMs) || now - (this.#wantedSinceMs ?? now) < FRESH_MS,
      wasBusy: this.#wasBusy,
      isUnstored: unstoredSinceMs !== null && !isRecent(unstoredSinceMs),
      isAwaitingKeyframe: this.isAwaitingKeyframe,
      isArriving: stream?.currentState.state === 'playing' && isRecent(stream.lastVideoMs),
      isDeviceOffline: this.#options.isDeviceOffline(),
    });
  }

  get #wasBusy(): boolean {
    return this.#options.clock.monotonicMs() < this.#busyUntilMs;
  }
}

type RecorderParts = Pick<ChannelRecorderOptions, 'disk' | 'key' | 'recordings' | 'clock' | 'onFault'>;
type RecorderMore = Partial<
  Pick<ConstructorParameters<typeof Recorder>[0], 'slabs' | 'syncAtEndOnly' | 'queueMaxBytes' | 'isAlarm' | 'onMissing'>
>;

export function newRecorder({ disk, key, recordings, clock, onFault }: RecorderParts, more: RecorderMore): Recorder {
  return new Recorder({
    disk,
    key,
    sink: recordings,
    monotonicMs: () => clock.monotonicMs(),
    wait: (ms, signal) => wait(clock, ms, signal),
    newRunId: random48,
    onFault,
    ...more,
  });
}
