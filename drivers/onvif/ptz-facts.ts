// Reads the PTZ capabilities of each channel: PTZ nodes, timeouts, auxiliary commands, focus and iris.
import { getIrisOptions, getMoveOptions } from '@vedette/protocols/onvif/lens-operations.ts';
import { getNodes, getPtzConfigurationOptions } from '@vedette/protocols/onvif/ptz-operations.ts';
import type { PtzAxis, PtzSwitch } from '../kit/ptz.ts';
import type { PlannedChannel } from './session/channel-plan.ts';
import { readDurationMs } from './session/duration.ts';
import { orNull } from './session/media-profiles.ts';
import type { OnvifSession } from './session/onvif-session.ts';

export interface SwitchCommands {
  readonly on: string;
  readonly off: string;
}

export interface PtzFacts {
  /** Null: only the lens moves. */
  readonly profileToken: string | null;
  readonly sourceToken: string;
  readonly axes: ReadonlySet<PtzAxis>;
  readonly switches: ReadonlyMap<PtzSwitch, SwitchCommands>;
  readonly hasPresets: boolean;
  readonly hasTours: boolean;
  /** Timeouts that ContinuousMove accepts, ms. */
  readonly timeout: { readonly least: number; readonly most: number };
  /** Attenuation in dB. */
  readonly iris: { readonly least: number; readonly most: number } | null;
}

type Node = Awaited<ReturnType<typeof readNodes>>[number];

/** Above this number of channels, lenses of fixed ones are not queried. */
const MOST_LENSES_ASKED = 4;

export async function readPtzFacts(
  session: OnvifSession,
  channels: readonly PlannedChannel[],
): Promise<ReadonlyMap<number, PtzFacts>> {
  const { services, turning } = await channelsThatTurn(session, channels);
  const nodes = turning.length === 0 ? [] : await readNodes(session);
  const heads = new Map<number, PtzFacts>();
  for (const channel of channels) {
    const canTurn = turning.includes(channel);
    if (!canTurn && channels.length > MOST_LENSES_ASKED) continue;
    const lens = services.has('imaging')
      ? await readLens(session, channel.sourceToken)
      : { hasFocus: false, iris: null };
    const facts = canTurn ? await readChannelPtz(session, channel, nodes) : fixed(channel.sourceToken);
    const axes = new Set(facts.axes);
    if (lens.hasFocus) axes.add('focus');
    if (lens.iris !== null) axes.add('iris');
    if (axes.size + facts.switches.size > 0) heads.set(channel.channelNo, { ...facts, axes, iris: lens.iris });
  }
  return heads;
}

async function channelsThatTurn(session: OnvifSession, channels: readonly PlannedChannel[]) {
  const named = channels.filter(({ ptzProfile }) => ptzProfile !== null);
  const services = named.length > 0 ? await session.servicesWith('ptz') : await session.services();
  const turning = services.has('ptz') ? named : [];
  return { services, turning };
}

function fixed(sourceToken: string): PtzFacts {
  return {
    profileToken: null,
    sourceToken,
    axes: new Set(),
    switches: new Map(),
    hasPresets: false,
    hasTours: false,
    timeout: { least: 0, most: 0 },
    iris: null,
  };
}

async function readNodes(session: OnvifSession) {
  const answer = await orNull(session, session.call(getNodes, {}));
  return answer?.PTZNode ?? [];
}

async function readChannelPtz(
  session: OnvifSession,
  channel: PlannedChannel,
  nodes: readonly Node[],
): Promise<PtzFacts> {
  const { ptzProfile, sourceToken } = channel;
  const node = nodes.find(({ token }) => token === ptzProfile?.ptz?.node) ?? nodes[0];
  const ConfigurationToken = ptzProfile?.ptz?.configuration ?? '';
  const options = await orNull(session, session.call(getPtzConfigurationOptions, { ConfigurationToken }));
  return {
    profileToken: ptzProfile?.token ?? null,
    sourceToken,
    ...abilitiesOf(node),
    timeout: timeoutOf(options?.PTZConfigurationOptions.PTZTimeout),
    iris: null,
  };
}

/** Without limits any value is accepted. */
function timeoutOf(
  range: { readonly Min?: string | undefined; readonly Max?: string | undefined } | undefined,
): PtzFacts['timeout'] {
  return { least: readDurationMs(range?.Min) ?? 0, most: readDurationMs(range?.Max) ?? Infinity };
}

function abilitiesOf(node: Node | undefined): Pick<PtzFacts, 'axes' | 'switches' | 'hasPresets' | 'hasTours'> {
  return {
    axes: axesOf(node?.SupportedPTZSpaces),
    switches: switchesOf(node?.AuxiliaryCommands ?? []),
    hasPresets: (node?.MaximumNumberOfPresets ?? 1) > 0,
    hasTours: (node?.Extension?.SupportedPresetTour?.MaximumNumberOfPresetTours ?? 0) > 0,
  };
}

/** A PTZ node without spaces counts as full PTZ. */
function axesOf(spaces: Node['SupportedPTZSpaces']): Set<PtzAxis> {
  if (spaces === undefined) return new Set(['panTilt', 'zoom']);
  const axes = new Set<PtzAxis>();
  if (spaces.ContinuousPanTiltVelocitySpace.length > 0) axes.add('panTilt');
  if (spaces.ContinuousZoomVelocitySpace.length > 0) axes.add('zoom');
  return axes;
}

/** Commands are `tt:Wiper|On` by the specification (PTZ 5.8); some devices omit the state. */
function switchesOf(commands: readonly string[]): Map<PtzSwitch, SwitchCommands> {
  const found = new Map<PtzSwitch, SwitchCommands>();
  const kinds: readonly (readonly [PtzSwitch, RegExp])[] = [
    ['wiper', /wiper/iu],
    ['light', /white ?light|^(?:tt:)?light/iu],
    ['light', /irlamp|lamp/iu],
  ];
  for (const [which, pattern] of kinds) {
    const command = commands.find((one) => pattern.test(one));
    const [name] = (command ?? '').split('|');
    if (command !== undefined && !found.has(which)) found.set(which, { on: `${name}|On`, off: `${name}|Off` });
  }
  return found;
}

async function readLens(session: OnvifSession, VideoSourceToken: string) {
  const moves = await orNull(session, session.call(getMoveOptions, { VideoSourceToken }));
  const options = await orNull(session, session.call(getIrisOptions, { VideoSourceToken }));
  const iris = options?.ImagingOptions.Exposure?.Iris;
  const isIris = iris !== undefined && iris.Max > iris.Min;
  return {
    hasFocus: moves?.MoveOptions.Continuous !== undefined,
    iris: isIris ? { least: iris.Min, most: iris.Max } : null,
  };
}
