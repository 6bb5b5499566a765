// Proxy of a channel on the recorder's loop, with exactly the members that the real channel in the drivers' loop has.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import type { ConfigSection, ConfigSections } from '@vedette/drivers/kit/config-section.ts';
import type { ChannelDriver, DeviceCredentials } from '@vedette/drivers/kit/driver.ts';
import type { PtzController } from '@vedette/drivers/kit/ptz.ts';
import {
  type ChannelOrderAnswer,
  type ChannelOrderInput,
  type ChannelOrderName,
  REPEATABLE,
} from './channel-orders.ts';
import type { LoopRequestOptions } from './loop-requests.ts';
import type { ChannelShape, WireCredentials } from './wire.ts';

export type AskChannel = (name: string, input: readonly unknown[], options: LoopRequestOptions) => Promise<unknown>;

/** `schemes` restores the pinned trust of this side in returned credentials. */
export function remoteChannel(
  channelNo: number,
  { members, ptz, config }: ChannelShape,
  ask: AskChannel,
  schemes: (known: WireCredentials | null) => DeviceCredentials | null,
): ChannelDriver {
  const has = (name: keyof ChannelDriver): boolean => members.includes(name);
  const order = orders(ask);
  const own = <T extends { readonly credentials: WireCredentials | null }>(answer: T) => ({
    ...answer,
    credentials: schemes(answer.credentials),
  });
  return {
    channelNo,
    source: async (quality, signal) => own(await order('source', [quality], signal)),
    ...(has('snapshot') && {
      snapshot: async (signal) => {
        const { contentType, data } = await order('snapshot', [], signal);
        return { contentType, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
      },
    }),
    ...(has('keyframe') && { keyframe: (quality, signal) => order('keyframe', [quality], signal) }),
    ...(has('talk') && { talk: async (signal) => own(await order('talk', [], signal)) }),
    ...(has('recorded') && { recorded: (from, to, signal) => order('recorded', [from, to], signal) }),
    ...(has('replay') && { replay: async (from, to, signal) => own(await order('replay', [from, to], signal)) }),
    ...(ptz && { ptz: ptzOf(ptz, order) }),
    ...(config && { config: sectionsOf(config, ask, order) }),
  };
}

type Asked = <N extends ChannelOrderName>(
  name: N,
  input: ChannelOrderInput<N>,
  signal?: AbortSignal,
) => Promise<ChannelOrderAnswer<N>>;

function orders(ask: AskChannel): Asked {
  return async <N extends ChannelOrderName>(name: N, input: ChannelOrderInput<N>, signal?: AbortSignal) =>
    (await ask(name, input, { signal, isRepeatable: REPEATABLE.has(name) })) as ChannelOrderAnswer<N>;
}

function ptzOf(
  { axes, switches, hasPresets, hasTours }: NonNullable<ChannelShape['ptz']>,
  order: Asked,
): PtzController {
  return {
    axes: new Set(axes),
    switches: new Set(switches),
    move: (velocity, leaseMs, signal) => order('move', [velocity, leaseMs], signal),
    stop: (axis, signal) => order('stop', [axis], signal),
    turn: (which, isOn, signal) => order('turn', [which, isOn], signal),
    isMoving: (signal) => order('isMoving', [], signal),
    ...(hasPresets && {
      presets: {
        list: (signal) => order('presetList', [], signal),
        add: (name, signal) => order('presetAdd', [name], signal),
        remove: (token, signal) => order('presetRemove', [token], signal),
        goto: (token, signal) => order('presetGoto', [token], signal),
      },
    }),
    ...(hasTours && {
      tours: {
        list: (signal) => order('tourList', [], signal),
        operate: (token, what, signal) => order('tourOperate', [token, what], signal),
      },
    }),
  };
}

function sectionsOf(
  { sections, switchesOutputs, formatsDisks }: NonNullable<ChannelShape['config']>,
  ask: AskChannel,
  order: Asked,
): ConfigSections {
  const section = <S extends SectionName>(name: S): ConfigSection<S> | null =>
    sections.includes(name)
      ? {
          read: async (signal) => (await order('sectionRead', [name], signal)) as SectionReading<S>,
          write: (next: SectionValue<S>, before: SectionReading<S>, signal) =>
            order(
              'sectionWrite',
              [name, { next: next as SectionValue<SectionName>, before: before as SectionReading<SectionName> }],
              signal,
            ),
        }
      : null;
  return {
    names: (signal) => order('sectionNames', [], signal),
    section,
    ...(switchesOutputs && { switchOutput: (id, isOn, signal) => order('switchOutput', [id, isOn], signal) }),
    ...(formatsDisks && {
      formatDisk: async (id, onPercent, signal) => {
        await ask('formatDisk', [id], { signal, onMessage: (percent) => onPercent(Number(percent)) });
      },
    }),
  };
}
