// Handlers of patrols over presets, run by the site, and of tours run by the device.
import { PATROL_LIMITS } from '@vedette/contract/ptz.ts';
import type { Patrol } from '@vedette/contract/calls/ptz.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { deletePatrol, type PatrolRow, patrolsOf, storePatrol } from '../../database/device/preset.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { channelIdOf, type PresetDeps, presetsOfChannel } from './preset.handlers.ts';

type PatrolPath = 'patrol/list' | 'patrol/save' | 'patrol/delete' | 'patrol/start' | 'patrol/stop';

/** Before the token of a tour of the device. */
const TOUR = 'tour:';

export function patrolHandlers(deps: PresetDeps): Handlers<PatrolPath> {
  return { ...keptPatrols(deps), ...runPatrols(deps) };
}

function keptPatrols(deps: PresetDeps): Handlers<'patrol/list' | 'patrol/save' | 'patrol/delete'> {
  const { database, site } = deps;
  return {
    'patrol/list': async ({ input, device }) => {
      const { deviceSerial, channelNo } = input;
      const presets = await presetsOfChannel(deps, device, channelNo);
      const { tours, running } = await site.call('patrols', { deviceSerial, channelNo });
      const rows = await patrolsOf(database, await channelIdOf(database, device, channelNo));
      const own = rows.map((row) => toPatrol(row, running));
      const indexOf = new Map(presets.map((preset) => [preset.token, preset.preset_index]));
      const ofDevice = tours.map(({ token, name, isRunning, stops }) => ({
        patrolId: TOUR + token,
        name,
        isRunning,
        isDeviceOwn: true,
        stopList: stops.map((stop) => ({ presetIndex: indexOf.get(stop.token) ?? 0, stay: stop.stayMs / 1000 })),
      }));
      const patrolList = [...own, ...ofDevice];
      return { total: patrolList.length, patrolList };
    },
    'patrol/save': async ({ input, device, audit }) => {
      const { channelNo, name, stopList } = input;
      const numbers = new Set((await presetsOfChannel(deps, device, channelNo)).map((row) => row.preset_index));
      if (stopList.some(({ presetIndex }) => !numbers.has(presetIndex))) throw fieldError({ stopList: 'format' });
      const channelId = await channelIdOf(database, device, channelNo);
      const rows = await patrolsOf(database, channelId);
      const isNew = input.patrolId === undefined;
      if (!isNew && !rows.some((row) => row.patrol_id === input.patrolId)) throw new CallError('notFound');
      if (isNew && rows.length >= PATROL_LIMITS.patrols) throw new CallError('quotaExceeded');
      const patrolId = input.patrolId ?? newId();
      await storePatrol(database, { patrol_id: patrolId, channel_id: channelId, name, stops: stopList });
      audit.object = `${audit.object} patrolId=${patrolId}`;
      return { patrolId };
    },
    'patrol/delete': async ({ input, device, audit }) => {
      const { deviceSerial, channelNo, patrolId } = input;
      if (patrolId.startsWith(TOUR)) throw new CallError('functionNotSupported');
      await onePatrol(deps, device, input);
      const { running } = await site.call('patrols', { deviceSerial, channelNo });
      if (running === patrolId) await site.call('patrolStop', { deviceSerial, channelNo });
      await deletePatrol(database, patrolId);
      audit.object = `${audit.object} patrolId=${patrolId}`;
      return {};
    },
  };
}

function runPatrols(deps: PresetDeps): Handlers<'patrol/start' | 'patrol/stop'> {
  const { site } = deps;
  return {
    'patrol/start': async ({ input, device }) => {
      const { deviceSerial, channelNo, patrolId } = input;
      const presets = await presetsOfChannel(deps, device, channelNo);
      if (patrolId.startsWith(TOUR)) {
        const token = patrolId.slice(TOUR.length);
        await site.call('tourOperate', { deviceSerial, channelNo, token, order: 'start' });
        return {};
      }
      const { stops } = await onePatrol(deps, device, input);
      const tokenOf = new Map(presets.map((preset) => [preset.preset_index, preset.token]));
      const route = stops.flatMap(({ presetIndex, stay }) => {
        const token = tokenOf.get(presetIndex);
        return token === undefined ? [] : [{ token, stayMs: stay * 1000 }];
      });
      if (route.length === 0) throw new CallError('notFound');
      await site.call('patrolStart', { deviceSerial, channelNo, patrolId, stops: route });
      return {};
    },
    'patrol/stop': async ({ input, device }) => {
      const { deviceSerial, channelNo, patrolId } = input;
      if (patrolId.startsWith(TOUR)) {
        const token = patrolId.slice(TOUR.length);
        await site.call('tourOperate', { deviceSerial, channelNo, token, order: 'stop' });
        return {};
      }
      await onePatrol(deps, device, input);
      await site.call('patrolStop', { deviceSerial, channelNo });
      return {};
    },
  };
}

/** Throws 1007 for one of another channel. */
async function onePatrol(
  { database }: PresetDeps,
  device: AuthorizedDevice,
  { channelNo, patrolId }: { readonly channelNo: number; readonly patrolId: string },
): Promise<PatrolRow> {
  const rows = await patrolsOf(database, await channelIdOf(database, device, channelNo));
  const found = rows.find((row) => row.patrol_id === patrolId);
  if (found === undefined) throw new CallError('notFound');
  return found;
}

function toPatrol({ patrol_id: patrolId, name, stops }: PatrolRow, running: string | null): Patrol {
  return { patrolId, name, isRunning: running === patrolId, isDeviceOwn: false, stopList: stops };
}
