// The ONVIF driver: probes a device, describes it, and provides its channels.
import { CHANNEL_TYPE, DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { getDeviceInformation, systemReboot } from '@vedette/protocols/onvif/device-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type {
  Candidate,
  ChannelCapability,
  ChannelDriver,
  DeviceDescription,
  DeviceEndpoint,
  Driver,
  DriverModule,
  FirmwareFile,
  OpenRequest,
  ProbeRequest,
  ProbeWarning,
} from '../kit/driver.ts';
import { ptzCapabilities } from '../kit/ptz.ts';
import type { EventFeedRequest } from '../kit/event-feed.ts';
import { firmwareMethod, upgradeFirmware } from './firmware-upgrade.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { type ChannelPlan, channelInfo, isPlayable, planChannels } from './session/channel-plan.ts';
import { OnvifConfig } from './config/onvif-config.ts';
import { differingHost } from './session/device-address.ts';
import { type DeviceFacts, readDeviceFacts } from './device-facts.ts';
import { type PtzFacts, readPtzFacts } from './ptz-facts.ts';
import { DeviceRecordings } from './device-recordings.ts';
import { EventFeed } from './event-feed.ts';
import { channelTokens } from './event-message.ts';
import { readDeviceMedia } from './session/media-profiles.ts';
import { OnvifChannel } from './onvif-channel.ts';
import { OnvifPtz } from './onvif-ptz.ts';
import { type OnvifNative, readOnvifNative, unaskedOnvif } from './onvif-native.ts';
import { OnvifSession, type ServiceAddresses } from './session/onvif-session.ts';

/** Cameras have up to three lenses; more sources mean a recorder. */
const mostLenses = 3;
/** Beyond this offset UsernameTokens fail, and event times are wrong. */
const clockToleranceMs = 5_000;

interface Described {
  readonly description: DeviceDescription;
  readonly plan: ChannelPlan;
  readonly recordings: DeviceRecordings | null;
  readonly canTalk: boolean;
  /** By channel number; absent without PTZ. */
  readonly ptz: ReadonlyMap<number, PtzFacts>;
}

export const onvifDriver: DriverModule = {
  id: 'onvif',
  probe: probeOnvif,
  open: (request) => new OnvifDriver(request),
};

async function probeOnvif({ url, credentials, context, signal }: ProbeRequest): Promise<Candidate> {
  const driver = new OnvifDriver({ native: unaskedOnvif(url), credentials, context });
  try {
    return await driver.candidate(signal);
  } catch (error) {
    throw isNoOnvif(error)
      ? new DeviceFault('other-protocol', 'what answers here is no ONVIF device', { cause: error })
      : error;
  } finally {
    await driver.close();
  }
}

/** A web server without ONVIF: no device, rather than a missing function (1006). */
function isNoOnvif(error: unknown): boolean {
  if (!(error instanceof DeviceFault)) return false;
  return error.kind === 'not-supported' || (error.kind === 'device' && error.fault?.startsWith('HTTP 4') === true);
}

class OnvifDriver implements Driver {
  readonly id = 'onvif';
  readonly #native: OnvifNative;
  readonly #session: OnvifSession;
  readonly #lost = new Set<ChannelCapability>();
  readonly #config: OnvifConfig;
  readonly #listening = new Set<Promise<void>>();
  #described: Promise<Described> | null = null;

  constructor({ native, credentials, context }: OpenRequest) {
    this.#native = readOnvifNative(native);
    const device = { url: new URL(this.#native.url), keepHost: this.#native.keepHost };
    this.#session = new OnvifSession({ context, device, credentials, authMode: this.#native.authMode });
    this.#config = new OnvifConfig(this.#session);
  }

  get endpoint(): DeviceEndpoint {
    const { hostname, port, protocol } = this.#session.device.url;
    return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
  }

  async describe(signal?: AbortSignal): Promise<DeviceDescription> {
    const { description } = await this.#describe(signal);
    const channelCapabilities = description.channelCapabilities.filter((capability) => !this.#lost.has(capability));
    return { ...description, channelCapabilities };
  }

  refresh(): void {
    this.#described = null;
    this.#lost.clear();
    this.#config.forget();
    this.#session.forget();
  }

  async channel(channelNo: number, signal?: AbortSignal): Promise<ChannelDriver> {
    const { plan, recordings, canTalk, ptz } = await this.#describe(signal);
    const channel = plan.channels.find((planned) => planned.channelNo === channelNo);
    if (channel === undefined) throw new DeviceFault('unknown-channel', `the device has no channel ${channelNo}`);
    const facts = ptz.get(channelNo);
    const head = facts === undefined ? null : new OnvifPtz(this.#session, facts);
    const session = this.#session;
    const config = this.#config.of(channel);
    return new OnvifChannel({ session, plan: channel, recordings, config, canTalk, ptz: head, lost: this.#lost });
  }

  async check(signal?: AbortSignal): Promise<void> {
    await this.#session.call(getDeviceInformation, {}, signal, true);
  }

  async reboot(signal?: AbortSignal): Promise<void> {
    await this.#session.call(systemReboot, {}, signal);
    this.refresh();
  }

  async upgrade(file: FirmwareFile, onSent: (bytes: number) => void, signal?: AbortSignal): Promise<void> {
    await upgradeFirmware(this.#session, file, onSent, signal);
    this.refresh();
  }

  async listen(request: EventFeedRequest): Promise<void> {
    const session = this.#session;
    const signal = AbortSignal.any([request.signal, session.signal]);
    const channels = async () => channelTokens((await this.#describe(signal)).plan);
    const running = new EventFeed({ ...request, session, signal, channels }).run();
    this.#listening.add(running);
    try {
      await running;
    } finally {
      this.#listening.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#session.close();
    await Promise.allSettled(this.#listening);
  }

  /** Result of a probe: the description and everything needed to reopen the device. */
  async candidate(signal?: AbortSignal): Promise<Candidate> {
    const { description, plan } = await this.#describe(signal);
    const codecs = description.channels.flatMap(({ streams }) => streams.map(({ codec }) => codec));
    if (codecs.length === 0) throw new DeviceFault('no-video', 'the device has no video profile');
    if (!codecs.some(isPlayable)) {
      throw new DeviceFault('unsupported-codec', 'the device sends no format we can show', { fault: codecs[0] ?? '' });
    }
    const sources = plan.channels.map(({ sourceToken }) => sourceToken);
    const native: OnvifNative = { ...this.#native, authMode: this.#session.authMode, sources };
    return { ...description, driver: 'onvif', native };
  }

  async #describe(signal?: AbortSignal): Promise<Described> {
    this.#described ??= this.#readAll().catch((error: unknown) => {
      this.#described = null;
      throw error;
    });
    return await raceSignal(this.#described, signal);
  }

  async #readAll(): Promise<Described> {
    const facts = await readDeviceFacts(this.#session);
    const services = await this.#session.services();
    const media = await readDeviceMedia(this.#session);
    const plan = planChannels(media, this.#native.sources);
    const canReplay = services.has('search') && services.has('replay');
    const recordings = canReplay ? new DeviceRecordings(this.#session, plan.channels.length) : null;
    const channelCapabilities: ChannelCapability[] = ['snapshot', 'keyframe'];
    if (canReplay) channelCapabilities.push('replay');
    if (media.hasSpeaker) channelCapabilities.push('talk');
    const ptz = await readPtzFacts(this.#session, plan.channels);
    const deviceType =
      facts.kind === DEVICE_TYPE.IPC && plan.channels.length > mostLenses ? DEVICE_TYPE.NVR : facts.kind;
    const channels = plan.channels.map(channelInfo).map((channel) => ({
      ...channel,
      ...(deviceType === DEVICE_TYPE.RADAR && { channelType: CHANNEL_TYPE.radar }),
      name: channel.name === '' && plan.channels.length === 1 ? facts.name : channel.name,
      ...this.#ptzOf(ptz.get(channel.channelNo)),
    }));
    const description: DeviceDescription = {
      serial: facts.serial,
      name: facts.name,
      info: facts.info,
      deviceType,
      channels,
      capabilities: (await firmwareMethod(this.#session)) !== null ? ['reboot', 'upgrade'] : ['reboot'],
      channelCapabilities,
      warnings: [...this.#warnings(facts, services), ...plan.warnings],
    };
    return { description, plan, recordings, canTalk: media.hasSpeaker, ptz };
  }

  #ptzOf(facts: PtzFacts | undefined): { capabilities?: ChannelCapability[] } {
    return facts === undefined ? {} : { capabilities: ptzCapabilities(new OnvifPtz(this.#session, facts)) };
  }

  #warnings(facts: DeviceFacts, services: ServiceAddresses): ProbeWarning[] {
    const warnings: ProbeWarning[] = [];
    const offsetMs = this.#session.clockOffsetMs ?? 0;
    if (Math.abs(offsetMs) > clockToleranceMs) warnings.push({ kind: 'clock-differs', offsetMs });
    const advertised = services.get('media2') ?? services.get('media');
    const host = advertised === undefined ? null : differingHost(this.#session.device, advertised);
    if (host !== null) warnings.push({ kind: 'address-differs', advertised: host });
    if (!facts.hasOwnSerial) warnings.push({ kind: 'no-serial' });
    return warnings;
  }
}
