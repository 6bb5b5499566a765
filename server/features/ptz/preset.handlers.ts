// Handlers of presets: the device stores positions by token, the server numbers and names, the site snapshots.
import type { SitePreset } from '@vedette/contract/site/site-ptz.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { auditItemOf, auditShareOf } from '../../http/audit-trail.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  deletePreset,
  firstFree,
  insertPreset,
  type PresetRow,
  renamePreset,
  syncPresets,
} from '../../database/device/preset.queries.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { presetSnapshotUrl } from '../../ticket/media-urls.ts';
import type { TicketIssuer } from '../../ticket/ticket-issuer.ts';
import { refuseOffline } from './ptz.handlers.ts';

export interface PresetDeps {
  readonly database: Database;
  readonly site: SitePort;
  readonly tickets: TicketIssuer;
}

type PresetPath = 'preset/list' | 'preset/add' | 'preset/update' | 'preset/delete' | 'preset/goto';

export interface NumberedPreset extends PresetRow {
  readonly onDevice: SitePreset;
}

export function presetHandlers(deps: PresetDeps): Handlers<PresetPath> {
  const { database, site } = deps;
  return {
    'preset/list': async (request) => {
      const { input, device } = request;
      const all = await presetsOfChannel(deps, device, input.channelNo);
      const first = input.pageStart * input.pageSize;
      const page = all.slice(first, first + input.pageSize);
      const imageOf = await imagesOf(deps, request, page);
      const presetList = page.map((preset) => ({
        presetIndex: preset.preset_index,
        name: preset.name ?? preset.onDevice.name,
        image: imageOf(preset),
      }));
      return { total: all.length, presetList };
    },
    'preset/add': async ({ input, device }) => {
      const { deviceSerial, channelNo, name } = input;
      const taken = new Set((await presetsOfChannel(deps, device, channelNo)).map((row) => row.preset_index));
      const presetIndex = input.presetIndex ?? firstFree(taken);
      if (presetIndex === null) throw new CallError('quotaExceeded');
      if (taken.has(presetIndex)) throw new CallError('alreadyExists');
      const { token } = await site.call('presetAdd', { deviceSerial, channelNo, name });
      const channelId = await channelIdOf(database, device, channelNo);
      await insertPreset(database, { channel_id: channelId, preset_index: presetIndex, token, name });
      return { presetIndex };
    },
    'preset/update': async ({ input, device }) => {
      const { channel_id, preset_index } = await onePreset(deps, device, input);
      await renamePreset(database, { channel_id, preset_index, name: input.name });
      return {};
    },
    'preset/delete': async ({ input, device }) => {
      const { deviceSerial, channelNo } = input;
      const { channel_id, preset_index, token } = await onePreset(deps, device, input);
      await site.call('presetRemove', { deviceSerial, channelNo, token });
      await deletePreset(database, channel_id, preset_index);
      return {};
    },
    'preset/goto': async ({ input, device }) => {
      const { deviceSerial, channelNo } = input;
      const { token } = await onePreset(deps, device, input);
      await site.call('presetGoto', { deviceSerial, channelNo, token });
      return {};
    },
  };
}

/** By number; asks the device each time, for presets are made at the camera itself, too. */
export async function presetsOfChannel(
  { database, site }: Pick<PresetDeps, 'database' | 'site'>,
  device: AuthorizedDevice,
  channelNo: number,
): Promise<NumberedPreset[]> {
  refuseOffline(device);
  const { presets } = await site.call('presets', { deviceSerial: device.deviceSerial, channelNo });
  const channelId = await channelIdOf(database, device, channelNo);
  const byToken = new Map(presets.map((preset) => [preset.token, preset]));
  const rows = await syncPresets(database, channelId, [...byToken.keys()]);
  return rows.flatMap((row) => {
    const onDevice = byToken.get(row.token);
    return onDevice === undefined ? [] : [{ ...row, onDevice }];
  });
}

async function onePreset(
  deps: PresetDeps,
  device: AuthorizedDevice,
  { channelNo, presetIndex }: { readonly channelNo: number; readonly presetIndex: number },
): Promise<NumberedPreset> {
  const all = await presetsOfChannel(deps, device, channelNo);
  const found = all.find((row) => row.preset_index === presetIndex);
  if (found === undefined) throw new CallError('notFound');
  return found;
}

export async function channelIdOf(database: Database, device: AuthorizedDevice, channelNo: number): Promise<string> {
  return requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist').channel_id;
}

/** One ticket opens all pictures of the channel. */
async function imagesOf(
  { tickets, database }: PresetDeps,
  { device, principal, origin, input, audit }: CallRequest<'preset/list'>,
  page: readonly NumberedPreset[],
): Promise<(preset: NumberedPreset) => string> {
  if (page.every(({ onDevice }) => onDevice.picture === null)) return () => '';
  const { ticket } = await tickets.issue({
    kind: 'preset',
    action: 'PtzControl',
    principal,
    device,
    channelNo: input.channelNo,
    quality: 0,
    range: null,
    probeId: null,
  });
  // Owners viewing their own devices are not logged.
  if (device.decision.because.kind !== 'owner') {
    const itemList = [await auditItemOf(database, device, input.channelNo)];
    const detail = { way: 'presetPicture' as const, itemList, ...(await auditShareOf(database, device)) };
    audit.parts.push({ ownerIds: [device.ownerId], detail });
  }
  return ({ onDevice: { picture } }) => (picture === null ? '' : presetSnapshotUrl(origin, ticket, picture));
}
