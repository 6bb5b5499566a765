// Handlers of the server's PTZ calls: an absent capability is 1006 here and nowhere else.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { PtzCalls } from '@vedette/contract/site/site-ptz.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { PtzController } from '@vedette/drivers/kit/ptz.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { Patrols } from '../ptz/patrols.ts';
import { type PresetSnapshots, presetName } from '../ptz/preset-snapshots.ts';
import type { PtzLeases } from '../ptz/ptz-leases.ts';

export interface PtzCallsOptions {
  readonly fleet: Fleet;
  readonly ptzLeases: PtzLeases;
  readonly patrols: Patrols;
  readonly presetSnapshots: PresetSnapshots;
}

interface Dev {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

const CALL_MS = 7000;

export function ptzCalls(options: PtzCallsOptions) {
  return { ...moveCalls(options), ...presetCalls(options), ...patrolCalls(options) };
}

function moveCalls({ fleet, ptzLeases, patrols, presetSnapshots }: PtzCallsOptions) {
  return {
    ptzStart: async (input: PtzCalls['ptzStart']['input']) => {
      const { head } = await ptzOf(fleet, input);
      patrols.stop(keyOf(input));
      presetSnapshots.leave(keyOf(input));
      return await ptzLeases.start(keyOf(input), head, input, input);
    },
    ptzStop: async (input: SiteCalls['ptzStop']['input']) => {
      const { head } = input.command === null ? { head: null } : await ptzOf(fleet, input);
      await ptzLeases.stop(keyOf(input), head, input.operatorId, input.command);
      return {};
    },
  };
}

function presetCalls({ fleet, patrols, presetSnapshots }: PtzCallsOptions) {
  return {
    presets: async (dev: PtzCalls['presets']['input']) => {
      const { presets } = await presetsOf(fleet, dev);
      const [listed, taken] = await Promise.all([presets.list(inTime()), presetSnapshots.taken(keyOf(dev))]);
      return {
        presets: listed.map(({ token, name }) => ({ token, name, picture: snapshotOf(taken, token) })),
      };
    },
    presetAdd: async ({ name, ...dev }: PtzCalls['presetAdd']['input']) => {
      const { presets, channel } = await presetsOf(fleet, dev);
      const token = await presets.add(name, inTime());
      void presetSnapshots.takeOnArrival(keyOf(dev), token, channel);
      return { token };
    },
    presetRemove: async ({ token, ...dev }: PtzCalls['presetRemove']['input']) => {
      const { presets } = await presetsOf(fleet, dev);
      await presets.remove(token, inTime());
      await presetSnapshots.remove(keyOf(dev), token);
      return {};
    },
    presetGoto: async ({ token, ...dev }: PtzCalls['presetGoto']['input']) => {
      const { presets, channel } = await presetsOf(fleet, dev);
      patrols.stop(keyOf(dev));
      await presets.goto(token, inTime());
      void presetSnapshots.takeOnArrival(keyOf(dev), token, channel);
      return {};
    },
  };
}

function patrolCalls({ fleet, patrols, presetSnapshots }: PtzCallsOptions) {
  return {
    patrols: async (dev: PtzCalls['patrols']['input']) => {
      const { head } = await presetsOf(fleet, dev);
      return { tours: (await head.tours?.list(inTime())) ?? [], running: patrols.running(keyOf(dev)) };
    },
    patrolStart: async (input: PtzCalls['patrolStart']['input']) => {
      const { presets } = await presetsOf(fleet, input);
      presetSnapshots.leave(keyOf(input));
      await patrols.start(keyOf(input), presets, input);
      return {};
    },
    patrolStop: async (dev: PtzCalls['patrolStop']['input']) => {
      patrols.stop(keyOf(dev));
      return {};
    },
    tourOperate: async ({ token, order, ...dev }: PtzCalls['tourOperate']['input']) => {
      const { head } = await ptzOf(fleet, dev);
      if (!head.tours) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      patrols.stop(keyOf(dev));
      await head.tours.operate(token, order, inTime());
      return {};
    },
  };
}

async function ptzOf(fleet: Fleet, dev: Dev): Promise<{ channel: ChannelDriver; head: PtzController }> {
  const device = fleet.device(dev.deviceSerial);
  if (!device) throw new CallRefusal(ERROR_CODES.devNotExist);
  const channel = await device.supervisor.driver.channel(dev.channelNo, inTime());
  if (!channel.ptz) throw new CallRefusal(ERROR_CODES.functionNotSupported);
  return { channel, head: channel.ptz };
}

async function presetsOf(fleet: Fleet, dev: Dev) {
  const { channel, head } = await ptzOf(fleet, dev);
  if (!head.presets) throw new CallRefusal(ERROR_CODES.functionNotSupported);
  return { channel, head, presets: head.presets };
}

function keyOf({ deviceSerial, channelNo }: Dev): string {
  return `${deviceSerial}-${channelNo}`;
}

function snapshotOf(taken: ReadonlyMap<string, number>, token: string): string | null {
  const at = taken.get(presetName(token));
  return at === undefined ? null : `${presetName(token)}-${at}.jpg`;
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(CALL_MS);
}
