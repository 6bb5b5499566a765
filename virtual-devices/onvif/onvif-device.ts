// What the ONVIF services need to know of the device they speak for.

import type { ChannelSettings } from '../device/channel-settings.ts';
import type { Contacts } from '../events/contacts.ts';
import type { Disks } from '../device/disks.ts';
import type { Firmware } from '../device/firmware.ts';
import type { DeviceTime } from '../device/device-time.ts';
import type { DevicePlan, Quality } from '../device/device-plan.ts';
import type { CameraPtz } from '../ptz/camera-ptz.ts';
import type { DeviceEvents } from '../events/device-events.ts';
import type { LiveStream, StreamClock } from '../stream/live-stream.ts';

import type { SoapFaults } from './soap-faults.ts';

/** Which credentials the services take. */
export type OnvifAuthMode = 'both' | 'wsse' | 'digest' | 'none';

export interface OnvifDevice {
  readonly plan: DevicePlan;
  readonly clock: StreamClock;
  readonly events: DeviceEvents;
  /** What is to go wrong with the next requests. */
  readonly soapFaults: SoapFaults;
  readonly behaviour: { readonly onvifAuth: OnvifAuthMode; readonly takesReplays: boolean };
  passwordOf(user: string): string | null;
  settingsOf(channelNo: number): ChannelSettings;
  readonly time: DeviceTime;
  readonly contacts: Contacts;
  readonly disks: Disks;
  readonly firmware: Firmware;
  /** Null: as the time server says. */
  setClock(utcMs: number | null): void;
  /** Null for a camera that stands still. */
  ptzOf(channelNo: number): CameraPtz | null;
  streamOf(channelNo: number, quality: Quality): LiveStream | null;
  /** Addresses as the device advertises them. */
  httpUrl(path: string): string;
  rtspUrl(path: string): string;
  /** Goes away after the answer and comes back. */
  reboot(): void;
  /** The oldest recordings, milliseconds since 1970 UTC. */
  recordingsFrom(): number;
  /** What the gaps of a channel's recordings depend on. */
  recordingSeed(channelNo: number): number;
}
