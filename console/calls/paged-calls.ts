// Calls that take several requests: the channel loop, batches of devices, all resources of the tree (CA-05).
import type { Channel, Device, Resource } from '@vedette/contract/entities.ts';
import { DEVICE_BATCH_CHUNK, PAGE_SIZE } from '@vedette/contract/limits.ts';
import type { CallOptions, Caller } from './caller.ts';

/** All channels of a device: asks again while total exceeds (page + 1) × pageSize. */
export async function allChannels(caller: Caller, deviceSerial: string, options?: CallOptions): Promise<Channel[]> {
  const pageSize = PAGE_SIZE.channelBatch;
  const channels: Channel[] = [];
  for (let pageStart = 0; ; pageStart += 1) {
    const { channelList, total } = await caller.ask('channel/list', { deviceSerial, pageStart, pageSize }, options);
    channels.push(...channelList);
    if (total <= (pageStart + 1) * pageSize || channelList.length === 0) return channels;
  }
}

/** Devices by serial, in chunks of 100; `recorderOnly` keeps recorders. */
export async function batchDevices(
  caller: Caller,
  serials: readonly string[],
  options: CallOptions & { readonly recorderOnly?: boolean } = {},
): Promise<Device[]> {
  const { recorderOnly = false, ...callOptions } = options;
  const devices: Device[] = [];
  for (let from = 0; from < serials.length; from += DEVICE_BATCH_CHUNK) {
    const deviceSerialList = serials.slice(from, from + DEVICE_BATCH_CHUNK);
    const { deviceList } = await caller.ask('device/batch', { deviceSerialList, recorderOnly }, callOptions);
    devices.push(...deviceList);
  }
  return devices;
}

/** Everything the account may see, 1000 a request. */
export async function allResources(caller: Caller, options?: CallOptions): Promise<Resource[]> {
  const pageSize = PAGE_SIZE.allResources;
  const resources: Resource[] = [];
  for (let pageStart = 0; ; pageStart += 1) {
    const { resourceList, total } = await caller.ask('org/resource/list', { pageStart, pageSize }, options);
    resources.push(...resourceList);
    if (total <= (pageStart + 1) * pageSize || resourceList.length === 0) return resources;
  }
}
