// What a maker's own interface of a virtual device is given and gives; who asks was checked before.

import type { ChannelSettings } from '../device/channel-settings.ts';
import type { DevicePlan } from '../device/device-plan.ts';
import type { Disks } from '../device/disks.ts';

export interface VendorDevice {
  readonly plan: DevicePlan;
  readonly disks: Disks;
  settingsOf(channelNo: number): ChannelSettings;
  /** Null where the channel stands still. */
  ptzOf(channelNo: number): object | null;
}

export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface VendorAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface VendorPeer {
  takes(path: string): boolean;
  answer(request: VendorRequest): VendorAnswer;
}
