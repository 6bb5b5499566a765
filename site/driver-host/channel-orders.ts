// The requests that a channel takes over the loop connection, one row each: how the drivers' loop runs it on the real channel.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import type { ConfigSection, ConfigSections } from '@vedette/drivers/kit/config-section.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { ChannelDriver, StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { PtzAxis, PtzController, PtzPresets, PtzSwitch, PtzTours, PtzVelocity } from '@vedette/drivers/kit/ptz.ts';

/** Context of a running order beside its input. */
export interface OrderControl {
  readonly signal: AbortSignal;
  readonly report: (told: unknown) => void;
}

type Reading = SectionReading<SectionName>;

interface SectionWish {
  readonly next: SectionValue<SectionName>;
  readonly before: Reading;
}

export const channelOrders = {
  source: (of: ChannelDriver, { signal }: OrderControl, quality: StreamQuality) => of.source(quality, signal),
  snapshot: (of: ChannelDriver, { signal }: OrderControl) => had(of.snapshot?.(signal)),
  keyframe: (of: ChannelDriver, { signal }: OrderControl, quality: StreamQuality) =>
    had(of.keyframe?.(quality, signal)),
  talk: (of: ChannelDriver, { signal }: OrderControl) => had(of.talk?.(signal)),
  recorded: (of: ChannelDriver, { signal }: OrderControl, from: number, to: number) =>
    had(of.recorded?.(from, to, signal)),
  replay: (of: ChannelDriver, { signal }: OrderControl, from: number, to: number) => had(of.replay?.(from, to, signal)),
  move: (of: ChannelDriver, { signal }: OrderControl, velocity: PtzVelocity, leaseMs: number) =>
    ptz(of).move(velocity, leaseMs, signal),
  stop: (of: ChannelDriver, { signal }: OrderControl, axis: PtzAxis) => ptz(of).stop(axis, signal),
  turn: (of: ChannelDriver, { signal }: OrderControl, which: PtzSwitch, isOn: boolean) =>
    ptz(of).turn(which, isOn, signal),
  isMoving: (of: ChannelDriver, { signal }: OrderControl) => ptz(of).isMoving(signal),
  presetList: (of: ChannelDriver, { signal }: OrderControl) => presets(of).list(signal),
  presetAdd: (of: ChannelDriver, { signal }: OrderControl, name: string) => presets(of).add(name, signal),
  presetRemove: (of: ChannelDriver, { signal }: OrderControl, token: string) => presets(of).remove(token, signal),
  presetGoto: (of: ChannelDriver, { signal }: OrderControl, token: string) => presets(of).goto(token, signal),
  tourList: (of: ChannelDriver, { signal }: OrderControl) => tours(of).list(signal),
  tourOperate: (of: ChannelDriver, { signal }: OrderControl, token: string, order: 'start' | 'stop') =>
    tours(of).operate(token, order, signal),
  sectionNames: (of: ChannelDriver, { signal }: OrderControl) => config(of).names(signal),
  sectionRead: (of: ChannelDriver, { signal }: OrderControl, name: SectionName): Promise<Reading> =>
    section(of, name).read(signal),
  sectionWrite: (of: ChannelDriver, { signal }: OrderControl, name: SectionName, { next, before }: SectionWish) =>
    section(of, name).write(next, before, signal),
  switchOutput: (of: ChannelDriver, { signal }: OrderControl, id: string, isOn: boolean) =>
    had(config(of).switchOutput?.(id, isOn, signal)),
  formatDisk: (of: ChannelDriver, { signal, report }: OrderControl, id: string) =>
    had(config(of).formatDisk?.(id, report, signal)),
};

export type ChannelOrderName = keyof typeof channelOrders;

/** Arguments beside channel and connection. */
export type ChannelOrderInput<N extends ChannelOrderName> = (typeof channelOrders)[N] extends (
  of: ChannelDriver,
  line: OrderControl,
  ...input: infer I
) => unknown
  ? I
  : never;

export type ChannelOrderAnswer<N extends ChannelOrderName> = Awaited<ReturnType<(typeof channelOrders)[N]>>;

/** Idempotent on the device: repeated after a restart of the loop. */
export const REPEATABLE: ReadonlySet<ChannelOrderName> = new Set<ChannelOrderName>([
  'source',
  'snapshot',
  'keyframe',
  'talk',
  'recorded',
  'replay',
  'isMoving',
  'presetList',
  'tourList',
  'sectionNames',
  'sectionRead',
]);

/** A device may withdraw a capability. */
function had<T>(work: Promise<T> | undefined): Promise<T> {
  return work ?? Promise.reject(lacks());
}

function ptz({ ptz }: ChannelDriver): PtzController {
  if (ptz === undefined) throw lacks();
  return ptz;
}

function presets(of: ChannelDriver): PtzPresets {
  const found = ptz(of).presets;
  if (found === undefined) throw lacks();
  return found;
}

function tours(of: ChannelDriver): PtzTours {
  const found = ptz(of).tours;
  if (found === undefined) throw lacks();
  return found;
}

function config({ config: found }: ChannelDriver): ConfigSections {
  if (found === undefined) throw lacks();
  return found;
}

function section(of: ChannelDriver, name: SectionName): ConfigSection<SectionName> {
  const found = config(of).section(name);
  if (found === null) throw lacks();
  return found as ConfigSection<SectionName>;
}

function lacks(): DeviceFault {
  return new DeviceFault('not-supported', 'the channel has that no more');
}
