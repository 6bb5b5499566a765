// Virtual devices as a process of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ApiClient } from './api-client.ts';
import { stopChild } from './gstreamer.ts';

export interface VirtualDevice {
  readonly name: string;
  readonly kind: 'camera' | 'recorder' | 'offline';
  readonly target: string;
  readonly user: string;
  readonly password: string;
}

export interface VirtualSite {
  readonly devices: readonly VirtualDevice[];
  readonly controlUrl: string;
  /** Of discovery, where it was asked for. */
  readonly discoveryPort?: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export async function startVirtualSite(args: readonly string[] = []): Promise<VirtualSite> {
  const script = new URL('../../virtual-devices/main-virtual-devices.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = JSON.parse(line) as Pick<VirtualSite, 'devices' | 'controlUrl' | 'discoveryPort'>;
  return { ...ready, process: child, stop: () => stopChild(child) };
}

/** Adds the cameras and recorders as the operator; answers one row per channel. */
export async function addAll(
  operator: ApiClient,
  devices: readonly VirtualDevice[],
): Promise<{ deviceSerial: string; channelNo: number }[]> {
  const channels: { deviceSerial: string; channelNo: number }[] = [];
  for (const { name, target, user, password, kind } of devices) {
    if (kind === 'offline') continue;
    const { device } = await operator.ok('device/add', { target, user, password, deviceName: name });
    for (let channelNo = 1; channelNo <= device.channelTotal; channelNo++) {
      channels.push({ deviceSerial: device.deviceSerial, channelNo });
    }
  }
  return channels;
}
