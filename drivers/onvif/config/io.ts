// Section `io`: digital inputs and relay outputs of the device (ONVIF DeviceIO 5.7, Core 8.5).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  type digitalInput,
  getDigitalInputOptions,
  getDigitalInputs,
  getRelayOutputOptions,
  getRelayOutputs,
  type relayOutput,
  setDigitalInputs,
  setRelayOutputSettings,
  setRelayOutputState,
} from '@vedette/protocols/onvif/io-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { readDurationMs, writeDuration } from '../session/duration.ts';
import type { OnvifSession } from '../session/onvif-session.ts';
import { orAbsent, pick, type SectionSource } from './section-source.ts';

type Input = TypeOf<typeof digitalInput>;
type Relay = TypeOf<typeof relayOutput>;
type RelayOptions = TypeOf<typeof getRelayOutputOptions.response>['RelayOutputOptions'];
type InputRow = NonNullable<SectionValue<'io'>['inputs']>[number];
type OutputRow = NonNullable<SectionValue<'io'>['outputs']>[number];
type RowLimits = NonNullable<SectionReading<'io'>['capabilities']['outputs']>['item'];

const STATES = ['open', 'closed'];
const MODES = ['bistable', 'monostable'];
/** Seconds; without options the limits are unknown. */
const UNTOLD_DELAY = { min: 1, max: 300 } as const;

interface Found {
  readonly inputs: readonly Input[];
  readonly relays: readonly Relay[];
  readonly relayOptions: RelayOptions;
  readonly canSetInputs: boolean;
}

export function ioSection({ session }: SectionSource): ConfigSection<'io'> {
  return {
    read: async (signal) => readingOf(await read(session, signal)),
    write: async (next, _before, signal) => {
      const { inputs, relays } = await read(session, signal);
      const turned = (next.inputs ?? []).flatMap(({ id, idle }) => {
        const known = inputs.find(({ token }) => token === id);
        return known === undefined || idle === undefined || idle === known.IdleState
          ? []
          : [{ ...known, IdleState: idle }];
      });
      if (turned.length > 0) await session.call(setDigitalInputs, { DigitalInputs: turned }, signal);
      for (const row of next.outputs ?? []) {
        const known = relays.find(({ token }) => token === row.id);
        if (known === undefined) continue;
        const Properties = propertiesOf({ ...relayOutputRow(known), ...row });
        if (JSON.stringify(propertiesOf(relayOutputRow(known))) === JSON.stringify(Properties)) continue;
        await session.call(setRelayOutputSettings, { RelayOutputToken: known.token, Properties }, signal);
      }
    },
  };
}

export async function switchRelay(session: OnvifSession, token: string, isOn: boolean, signal?: AbortSignal) {
  const request = { RelayOutputToken: token, LogicalState: isOn ? 'active' : 'inactive' };
  await session.call(setRelayOutputState, request, signal);
}

async function read(session: OnvifSession, signal?: AbortSignal): Promise<Found> {
  const hasIo = (await session.services()).has('deviceIo');
  const ofIo = async <T>(ask: () => Promise<T>): Promise<T | null> => (hasIo ? await orAbsent(ask()) : null);
  const [inputs, relays, inputOptions, relayOptions] = await Promise.all([
    ofIo(() => session.call(getDigitalInputs, {}, signal)),
    orAbsent(session.call(getRelayOutputs, {}, signal)),
    ofIo(() => session.call(getDigitalInputOptions, {}, signal)),
    ofIo(() => session.call(getRelayOutputOptions, {}, signal)),
  ]);
  const found: Found = {
    inputs: inputs?.DigitalInputs ?? [],
    relays: relays?.RelayOutputs ?? [],
    relayOptions: relayOptions?.RelayOutputOptions ?? [],
    canSetInputs: (inputOptions?.DigitalInputOptions.IdleState.length ?? 0) > 1,
  };
  if (found.inputs.length + found.relays.length === 0)
    throw new DeviceFault('not-supported', 'the device has neither inputs nor outputs');
  return found;
}

export function readingOf({ inputs, relays, relayOptions, canSetInputs }: Found): SectionReading<'io'> {
  const byKey = relays.map(({ token }): [string, RowLimits] => {
    const own = relayOptions.find((option) => option.token === token);
    const modes = own?.Mode.map((mode) => mode.toLowerCase()).filter((mode) => MODES.includes(mode)) ?? MODES;
    const delay = delayLimits(own?.DelayTimes);
    return [token, { name: { most: 64 }, mode: { options: modes }, delay, idle: { options: STATES } }];
  });
  return {
    value: pick({
      inputs:
        inputs.length === 0
          ? undefined
          : inputs.map(({ token, IdleState }) =>
              pick<InputRow>({ id: token, name: token, idle: STATES.find((state) => state === IdleState) }),
            ),
      outputs: relays.length === 0 ? undefined : relays.map(relayOutputRow),
    }),
    capabilities: pick({
      inputs:
        inputs.length === 0
          ? undefined
          : {
              most: inputs.length,
              isFixed: true,
              item: pick({ name: { most: 64 }, idle: canSetInputs ? { options: STATES } : undefined }),
            },
      outputs:
        relays.length === 0
          ? undefined
          : { most: relays.length, isFixed: true, item: byKey[0]?.[1] ?? {}, byKey: Object.fromEntries(byKey) },
    }),
  };
}

function delayLimits(times: string | undefined): { min: number; max: number } {
  const seconds = (times ?? '')
    .split(/[\s,]+/u)
    .filter(Boolean)
    .map(Number)
    .filter(Number.isFinite);
  return seconds.length < 2 ? UNTOLD_DELAY : { min: Math.min(...seconds), max: Math.max(...seconds) };
}

export function relayOutputRow({ token, Properties }: Relay): OutputRow {
  const delayMs = readDurationMs(Properties.DelayTime);
  const mode = Properties.Mode?.toLowerCase();
  return pick<OutputRow>({
    id: token,
    name: token,
    mode: MODES.find((one) => one === mode),
    delay: delayMs === null ? undefined : delayMs / 1000,
    idle: STATES.find((one) => one === Properties.IdleState),
  });
}

function propertiesOf({ mode, delay, idle }: OutputRow): Relay['Properties'] {
  return {
    Mode: mode === 'monostable' ? 'Monostable' : 'Bistable',
    DelayTime: writeDuration((delay ?? 0) * 1000),
    IdleState: idle ?? 'open',
  };
}
