// Records one channel for as long as it is assigned: holds its stream connected and feeds a recorder.
import { Recorder, type RecorderReport } from '@vedette/media/recorder/recorder.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { Recordings } from '@vedette/media/recordings/recordings.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import type { StreamHub, StreamLease } from '@vedette/media/stream/hub.ts';
import type { OpenSource } from '@vedette/media/source/source.ts';
import { randomRunId } from './randomness.ts';
import { waitOn } from './wait.ts';

export interface ChannelRecorderOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly recordings: Recordings;
  readonly key: TrackKey;
  readonly streamKey: string;
  readonly open: OpenSource;
  readonly onFault: (error: unknown) => void;
}

/** Without a stored fragment for so long a channel counts as not recording. */
const RECORDING_WITHIN_MS = 8000;

export class ChannelRecorder {
  readonly key: TrackKey;
  readonly streamKey: string;
  readonly #options: ChannelRecorderOptions;
  readonly #recorder: Recorder;
  readonly #lease: StreamLease;
  readonly #leave: () => void;

  constructor(options: ChannelRecorderOptions) {
    const { hub, streamKey, open, key } = options;
    this.#options = options;
    this.key = key;
    this.streamKey = streamKey;
    this.#recorder = newRecorder(options, {});
    this.#lease = hub.acquire(streamKey, open);
    this.#leave = this.#lease.stream.addConsumer(this.#recorder);
  }

  get isRecording(): boolean {
    const { lastStoredMs } = this.#recorder.report();
    return lastStoredMs !== null && this.#options.clock.wallMs() - lastStoredMs < RECORDING_WITHIN_MS;
  }

  report(): RecorderReport {
    return this.#recorder.report();
  }

  tick(): void {
    this.#recorder.tick();
  }

  async close(): Promise<void> {
    this.#leave();
    this.#lease.release();
    await this.#recorder.close();
  }
}

export function newRecorder(
  {
    disk,
    key,
    recordings,
    clock,
    onFault,
  }: Pick<ChannelRecorderOptions, 'disk' | 'key' | 'recordings' | 'clock' | 'onFault'>,
  more: { readonly syncAtEndOnly?: boolean; readonly queueMaxBytes?: number },
): Recorder {
  return new Recorder({
    disk,
    key,
    sink: recordings,
    monotonicMs: () => clock.monotonicMs(),
    wait: (ms, signal) => waitOn(clock, ms, signal),
    newRunId: randomRunId,
    onFault,
    ...more,
  });
}
