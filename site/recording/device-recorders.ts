// The recordings of one device: brings them in line with its assignment, one per channel that is recorded.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RecordDemand } from '@vedette/media/recorder/record-demand.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { isChannelId, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { TrackNote } from '@vedette/media/recordings/gaps/track-notes.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { ChannelRecorder } from './channel-recorder.ts';
import { ChannelRecording } from './channel-recording.ts';
import type { SiteStorage } from './site-storage.ts';

/** Video source of one channel. */
export interface Upstream {
  readonly streamKey: string;
  readonly open: OpenSource;
}

export interface DeviceRecordersOptions {
  readonly deviceSerial: string;
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly storage: SiteStorage;
  readonly log: DriverLog;
  /** Null when the channel is not assigned any more. */
  readonly upstream: (channelNo: number, quality: StreamQuality) => Upstream | null;
  /** Whether the device has a stream of this quality beside the main one. */
  readonly offers: (channelNo: number, quality: StreamQuality) => boolean;
  readonly isOffline: () => boolean;
}

export class DeviceRecorders {
  readonly #options: DeviceRecordersOptions;
  readonly #byChannel = new Map<number, ChannelRecording>();

  constructor(options: DeviceRecordersOptions) {
    this.#options = options;
  }

  all(): readonly ChannelRecorder[] {
    return [...this.#byChannel.values()].flatMap((recording) => recording.recorders);
  }

  isRecording(channelNo: number): boolean {
    return this.#byChannel.get(channelNo)?.isRecording ?? false;
  }

  /** @param lateMs how long this process was just stalled. */
  tick(lateMs = 0): void {
    for (const recording of this.#byChannel.values()) recording.tick(lateMs);
  }

  noteAll(note: TrackNote): void {
    for (const recording of this.#byChannel.values()) recording.noteAll(note);
  }

  /** False if the channel is not recorded. */
  trigger(channelNo: number, startMs: number, endMs: number): boolean {
    const recording = this.#byChannel.get(channelNo);
    recording?.trigger(startMs, endMs);
    return recording !== undefined;
  }

  /** Unneeded recorders close their files before others start. */
  async follow({ channels }: DeviceAssignment): Promise<void> {
    const wanted = new Map(
      channels.flatMap((one) => (one.record && isChannelId(one.channelId) ? [[one.channelNo, one]] : [])),
    );
    for (const [channelNo, recording] of this.#byChannel) {
      if (wanted.get(channelNo)?.channelId === recording.channelId) continue;
      this.#byChannel.delete(channelNo);
      await recording.stop();
    }
    for (const channel of wanted.values()) {
      if (channel.record) await this.#recording(channel).follow(channel.record);
    }
  }

  async stop(): Promise<void> {
    const stopping = [...this.#byChannel.values()];
    this.#byChannel.clear();
    await Promise.all(stopping.map((recording) => recording.stop()));
  }

  #recording({ channelNo, channelId }: ChannelAssignment): ChannelRecording {
    const { deviceSerial, clock, storage, log } = this.#options;
    const known = this.#byChannel.get(channelNo);
    if (known) return known;
    const made = new ChannelRecording({
      channelId,
      recordings: storage.recordings,
      wallMs: () => clock.wallMs(),
      start: (key, demand) => this.#start(channelNo, key, demand),
      onBadOrder: (error) => log.warn({ deviceSerial, channelNo, err: error }, 'the recording plan cannot be read'),
    });
    this.#byChannel.set(channelNo, made);
    return made;
  }

  #start(channelNo: number, key: TrackKey, demand: RecordDemand): ChannelRecorder | null {
    const { deviceSerial, hub, clock, disk, storage, log, offers, isOffline } = this.#options;
    const isMain = !this.#byChannel.get(channelNo)?.recorders.length;
    // A camera with one stream returns it for every quality: it is not recorded twice.
    if (!isMain && !offers(channelNo, key.quality)) return null;
    const upstream = this.#options.upstream(channelNo, key.quality);
    if (!upstream) return null;
    return new ChannelRecorder({
      hub,
      clock,
      disk,
      recordings: storage.recordings,
      key,
      demand,
      ...upstream,
      isDeviceOffline: isOffline,
      onFault: (error) => log.warn({ deviceSerial, channelNo, err: error }, 'a recorded file was given up'),
    });
  }
}
