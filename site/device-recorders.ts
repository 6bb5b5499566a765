// The recorders of one device: brings them in line with its assignment, one per channel that is recorded.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { isChannelId } from '@vedette/media/recordings/recording-path.ts';
import type { OpenSource } from '@vedette/media/source/source.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { ChannelRecorder } from './channel-recorder.ts';
import type { SiteStorage } from './site-storage.ts';

/** Where the pictures of one channel come from. */
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
}

export class DeviceRecorders {
  readonly #options: DeviceRecordersOptions;
  readonly #byChannel = new Map<number, ChannelRecorder>();

  constructor(options: DeviceRecordersOptions) {
    this.#options = options;
  }

  all(): readonly ChannelRecorder[] {
    return [...this.#byChannel.values()];
  }

  isRecording(channelNo: number): boolean {
    return this.#byChannel.get(channelNo)?.isRecording ?? false;
  }

  tick(): void {
    for (const recorder of this.#byChannel.values()) recorder.tick();
  }

  /** Those that are wanted no more let go of their files before others start. */
  async follow({ channels }: DeviceAssignment): Promise<void> {
    const wanted = new Map(
      channels.flatMap((one) => (one.record && isChannelId(one.channelId) ? [[one.channelNo, one]] : [])),
    );
    for (const [channelNo, recorder] of this.#byChannel) {
      const { channelId, quality } = recorder.key;
      const channel = wanted.get(channelNo);
      if (channel?.channelId === channelId && channel.record?.quality === quality) continue;
      this.#byChannel.delete(channelNo);
      await recorder.close();
    }
    for (const [channelNo, channel] of wanted) {
      if (!this.#byChannel.has(channelNo)) this.#start(channel);
    }
  }

  async stop(): Promise<void> {
    const recorders = this.all();
    this.#byChannel.clear();
    await Promise.all(recorders.map((recorder) => recorder.close()));
  }

  #start({ channelNo, channelId, record }: ChannelAssignment): void {
    if (!record) return;
    const { deviceSerial, hub, clock, disk, storage, log } = this.#options;
    const upstream = this.#options.upstream(channelNo, record.quality);
    if (!upstream) return;
    const recorder = new ChannelRecorder({
      hub,
      clock,
      disk,
      recordings: storage.recordings,
      key: { channelId, quality: record.quality },
      ...upstream,
      onFault: (error) => log.warn({ deviceSerial, channelNo, err: error }, 'a recorded file was given up'),
    });
    this.#byChannel.set(channelNo, recorder);
  }
}
