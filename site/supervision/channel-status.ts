// Reports the status of each channel to the server, online and recorded, whenever it changes.
import type { ChannelAssignment, SiteEvent } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DeviceState } from './device-presence.ts';

export interface ChannelStatusOptions {
  readonly deviceSerial: string;
  readonly clock: Clock;
  readonly report: (event: SiteEvent) => void;
}

export class ChannelStatus {
  readonly #options: ChannelStatusOptions;
  readonly #published = new Map<number, string>();

  constructor(options: ChannelStatusOptions) {
    this.#options = options;
  }

  /** What was reported counts no more: all of it is reported again. */
  forget(): void {
    this.#published.clear();
  }

  /** Nothing is reported of a device that was not checked yet. */
  publish(
    channels: readonly ChannelAssignment[],
    { status }: DeviceState,
    isRecordingOf: (channelNo: number) => boolean,
  ): void {
    if (status === -1) return;
    const { deviceSerial, clock, report } = this.#options;
    for (const { channelNo } of channels) {
      const isRecording = isRecordingOf(channelNo);
      const text = `${status}/${isRecording}`;
      if (this.#published.get(channelNo) === text) continue;
      this.#published.set(channelNo, text);
      report({ kind: 'channelStatus', deviceSerial, channelNo, status, isRecording, at: clock.wallMs() });
    }
  }
}
