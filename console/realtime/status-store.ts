// The newest status of devices and channels, by push: rows read theirs by key and nothing else renders again. A list that was
// asked for before a push may arrive after it, so what was pushed wins over what was fetched.
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { create } from 'zustand';

export interface PushedDeviceStatus {
  readonly status: number;
  readonly statusReason: string | null;
  readonly at: number;
}
export interface PushedChannelStatus {
  readonly status: number;
  readonly isRecording: boolean;
}
interface StatusState {
  readonly devices: Readonly<Record<string, PushedDeviceStatus>>;
  /** By `deviceSerial:channelNo`. */
  readonly channels: Readonly<Record<string, PushedChannelStatus>>;
}
export const useStatus = create<StatusState>(() => ({ devices: {}, channels: {} }));

export function useDeviceStatus(deviceSerial: string | undefined, fetched: number): number {
  return useStatus(
    (state) => (deviceSerial === undefined ? undefined : state.devices[deviceSerial])?.status ?? fetched,
  );
}

/** The device with the newest status, its reason and the time it was last online. */
export function useNewestDevice(device: Device): Device {
  const pushed = useStatus((state) => state.devices[device.deviceSerial]);
  if (pushed === undefined) return device;
  const { status, statusReason, at } = pushed;
  return { ...device, status, statusReason, latestOnline: status === DEVICE_STATUS.unknown ? device.latestOnline : at };
}

export function useChannelStatus(
  deviceSerial: string | undefined,
  channelNo: number | undefined,
  fetched: number,
): number {
  return useStatus((state) => state.channels[`${deviceSerial}:${channelNo}`]?.status ?? fetched);
}

/** A fresh fetch is newer than what was pushed before it. */
export function forgetStatus(): void {
  useStatus.setState({ devices: {}, channels: {} });
}
