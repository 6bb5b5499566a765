// Handlers of channels and of capabilities of devices and channels.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Channel } from '@vedette/contract/entities.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { channelsWhere, findChannel, renameChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDevice } from '../../database/device/device.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { toChannel } from '../device/device.facts.ts';
import { supportsCdn } from '../cdn/cdn.facts.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { SitesPort } from '../../site-link/site-port.ts';

export interface ChannelDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly hub: RealtimeHub;
}

type ChannelPath = 'device/capacity' | 'channel/capacity' | 'channel/list' | 'channel/update';

export function channelHandlers(deps: ChannelDeps): Handlers<ChannelPath> {
  const { database } = deps;
  return {
    'device/capacity': async ({ input, rights }) => {
      const device = await authorizeDevice(database, await rights(), null, input);
      return { capabilities: await capabilitiesOf(deps, device, 1) };
    },
    'channel/capacity': async ({ input, rights }) => {
      const device = await authorizeDevice(database, await rights(), null, input);
      const channel = await findChannel(database, device.deviceId, input.channelNo);
      return {
        mediaCapacity: {
          supportCdn: await supportsCdn(database, channel?.streams ?? []),
          supportLive: (channel?.streams.length ?? 0) > 0,
        },
        capabilities: await capabilitiesOf(deps, device, input.channelNo),
      };
    },
    'channel/list': async ({ input, rights }) => {
      const held = await rights();
      const device = await authorizeDevice(database, held, null, { deviceSerial: input.deviceSerial });
      const query = channelsWhere(database, visibleChannels(held, null)).where(
        'channel.device_id',
        '=',
        device.deviceId,
      );
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await query.selectAll('channel').orderBy('channel.channel_no').offset(offset).limit(limit).execute();
      const object = { kind: 'device', ...device } as const;
      return { total, channelList: rows.map((row) => toChannel(row, device.deviceSerial, object, held)) };
    },
    'channel/update': async ({ input, device, rights }) => {
      await renameChannel(database, device.deviceId, input.channelNo, input.channelName);
      const object = { kind: 'channel', ...device, channelNo: input.channelNo } as const;
      deps.hub.pushAbout({ kind: 'resourcesChanged' }, object);
      return { channel: await oneChannel(database, await rights(), device, input.channelNo) };
    },
  };
}

async function oneChannel(
  database: Database,
  rights: Rights,
  device: AuthorizedDevice,
  channelNo: number,
): Promise<Channel> {
  const row = requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist');
  return toChannel(row, device.deviceSerial, { kind: 'device', ...device }, rights);
}

/** Current answer of the device for itself and the channel; the stored one if it is unreachable. */
async function capabilitiesOf(
  { database, site }: ChannelDeps,
  { deviceId, deviceSerial, status, siteId }: AuthorizedDevice,
  channelNo: number,
): Promise<string[]> {
  const stored = (await findDevice(database, deviceId))?.capabilities ?? [];
  if (!site.at(siteId).isOnline() || status !== DEVICE_STATUS.online) return stored;
  try {
    const asked = [null, channelNo].map((no) => site.call('capabilities', { deviceSerial, channelNo: no }));
    const said = (await Promise.all(asked)).flatMap(({ capabilities }) => capabilities);
    return [...new Set(said)];
  } catch (error) {
    if (error instanceof CallError) return stored;
    throw error;
  }
}
