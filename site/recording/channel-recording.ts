// The recording of one channel: its plan and events, and a recorder for each quality that is asked for.
import type { RecordOrder } from '@vedette/contract/site/site.ts';
import { RecordDemand } from '@vedette/media/recorder/record-demand.ts';
import type { RecordedQuality, TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import type { TrackNote } from '@vedette/media/recordings/gaps/track-notes.ts';
import type { ChannelRecorder } from './channel-recorder.ts';

export interface ChannelRecordingOptions {
  readonly channelId: string;
  readonly recordings: Pick<RecordingDisks, 'store' | 'note'>;
  readonly wallMs: () => number;
  /** Null while there is no such stream; asked again later. */
  readonly start: (key: TrackKey, demand: RecordDemand) => ChannelRecorder | null;
  readonly onBadOrder: (error: unknown) => void;
}

const SECOND = 1;

export class ChannelRecording {
  readonly channelId: string;
  readonly #options: ChannelRecordingOptions;
  readonly #demand = new RecordDemand();
  readonly #recorders = new Map<RecordedQuality, ChannelRecorder>();
  #wanted: readonly RecordedQuality[] = [];

  constructor(options: ChannelRecordingOptions) {
    this.#options = options;
    this.channelId = options.channelId;
  }

  get recorders(): readonly ChannelRecorder[] {
    return [...this.#recorders.values()];
  }

  get isRecording(): boolean {
    return this.recorders.some((recorder) => recorder.isRecording);
  }

  async follow({ quality, secondStream, plan, preRollS = 0 }: RecordOrder): Promise<void> {
    try {
      this.#demand.follow({ plan, preRollMs: preRollS * 1000 });
    } catch (error) {
      // Unknown time zone: better to record too much than nothing.
      this.#options.onBadOrder(error);
      this.#demand.follow({ preRollMs: preRollS * 1000 });
    }
    this.#wanted = secondStream && quality !== SECOND ? [quality, SECOND] : [quality];
    for (const [recorded, recorder] of this.#recorders) {
      if (this.#wanted.includes(recorded)) continue;
      this.#recorders.delete(recorded);
      await recorder.close();
    }
    this.#resumeEvents();
    this.tick();
  }

  /** `startMs` less the pre-roll to `endMs` is recorded and marked. */
  trigger(startMs: number, endMs: number): void {
    const marked = this.#demand.trigger(startMs, endMs);
    for (const quality of this.#wanted) this.#note(quality, { kind: 'alarm', ...marked });
    this.tick();
  }

  noteAll(note: TrackNote): void {
    for (const quality of this.#recorders.keys()) this.#note(quality, note);
  }

  /** @param lateMs how long this process was just stalled. */
  tick(lateMs = 0): void {
    for (const quality of this.#wanted) {
      if (this.#recorders.has(quality)) continue;
      const recorder = this.#options.start({ channelId: this.channelId, quality }, this.#demand);
      if (recorder) this.#recorders.set(quality, recorder);
    }
    for (const recorder of this.#recorders.values()) recorder.tick(lateMs);
  }

  async stop(): Promise<void> {
    const closing = this.recorders;
    this.#wanted = [];
    this.#recorders.clear();
    await Promise.all(closing.map((recorder) => recorder.close()));
  }

  /** Continues an event that was running when the process ended. */
  #resumeEvents(): void {
    const now = this.#options.wallMs();
    for (const { kind, startMs, endMs } of this.#options.recordings.store.notes(this.#key(this.#wanted[0] ?? 0))) {
      if (kind === 'alarm' && endMs > now && !this.#demand.isEvent(now)) this.#demand.resume({ startMs, endMs });
    }
  }

  #note(quality: RecordedQuality, note: TrackNote): void {
    this.#options.recordings.note(this.#key(quality), note);
  }

  #key(quality: RecordedQuality): TrackKey {
    return { channelId: this.channelId, quality };
  }
}
