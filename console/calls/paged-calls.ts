// Calls that take several requests: the channel loop, batches of devices, all resources of the tree, all shares (CA-05, LM-06).
import type { FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import type { Share } from '@vedette/contract/calls/share.ts';
import type { ShareState } from '@vedette/contract/enumerations.ts';
import type { Channel, Device, Resource } from '@vedette/contract/entities.ts';
import { DEVICE_BATCH_CHUNK, PAGE_SIZE } from '@vedette/contract/limits.ts';
import type { CallOptions, Caller } from './caller.ts';

/** All channels of a device: asks again while total exceeds (page + 1) × pageSize. */
export async function allChannels(caller: Caller, deviceSerial: string, options?: CallOptions): Promise<Channel[]> {
  return await allPages(PAGE_SIZE.channelBatch, async (page) => {
    const { total, channelList } = await caller.ask('channel/list', { deviceSerial, ...page }, options);
    return { total, rows: channelList };
  });
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
  return await allPages(PAGE_SIZE.allResources, async (page) => {
    const { total, resourceList } = await caller.ask('org/resource/list', page, options);
    return { total, rows: resourceList };
  });
}

interface ListPage<R> {
  readonly total: number;
  readonly rows: readonly R[];
}

async function allPages<R>(
  pageSize: number,
  ask: (page: { pageStart: number; pageSize: number }) => Promise<ListPage<R>>,
): Promise<R[]> {
  const all: R[] = [];
  for (let pageStart = 0; ; pageStart += 1) {
    const { rows, total } = await ask({ pageStart, pageSize });
    all.push(...rows);
    if (total <= (pageStart + 1) * pageSize || rows.length === 0) return all;
  }
}

/** Every row of a list of shares, 100 a request. */
export async function allShares(
  caller: Caller,
  path: 'share/given/list' | 'share/received/list',
  states: readonly ShareState[],
  options?: CallOptions,
): Promise<Share[]> {
  return await allPages(PAGE_SIZE.shares, async (page) => {
    const { total, shareList } = await caller.ask(path, { ...page, states: [...states] }, options);
    return { total, rows: shareList };
  });
}

/** Every guest link of the account, 100 a request. */
export async function allLinks(caller: Caller, options?: CallOptions): Promise<ShareLink[]> {
  return await allPages(PAGE_SIZE.shares, async (page) => {
    const { total, linkList } = await caller.ask('share/link/list', page, options);
    return { total, rows: linkList };
  });
}

/** Every floor plan that the account may see, 100 a request. */
export async function allFloorPlans(caller: Caller, options?: CallOptions): Promise<FloorPlanEntry[]> {
  return await allPages(PAGE_SIZE.floorPlans, async (page) => {
    const { total, floorPlanList } = await caller.ask('floorPlan/list', page, options);
    return { total, rows: floorPlanList };
  });
}
