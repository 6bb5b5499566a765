// One channel of an ONVIF device: stream address, snapshot, keyframe request, and the device's own recordings.
import { getSnapshotUri, getStreamUri, setSynchronizationPoint } from '@vedette/protocols/onvif/media-operations.ts';
import {
  getSnapshotUri2,
  getStreamUri2,
  setSynchronizationPoint2,
} from '@vedette/protocols/onvif/media2-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type {
  ChannelCapability,
  ChannelDriver,
  MediaSource,
  RecordedSpan,
  ReplaySource,
  SnapshotImage,
  StreamQuality,
  TalkTarget,
} from '../kit/driver.ts';
import type { PtzController } from '../kit/ptz.ts';
import type { OutboundResponse } from '../kit/driver-context.ts';
import { type PlannedChannel, isPlayable } from './session/channel-plan.ts';
import type { ConfigSections } from '../kit/config-section.ts';
import { snapshotUrl, streamUrl } from './session/device-address.ts';
import { DeviceRecordings } from './device-recordings.ts';
import type { MediaProfile } from './session/media-profiles.ts';
import type { OnvifSession } from './session/onvif-session.ts';

export interface OnvifChannelOptions {
  readonly session: OnvifSession;
  readonly plan: PlannedChannel;
  /** Null if the device has no edge recordings. */
  readonly recordings: DeviceRecordings | null;
  /** Announced operations that the device rejected as unknown. Shared by all channels. */
  readonly lost: Set<ChannelCapability>;
  readonly config: ConfigSections;
  /** The device has a loudspeaker. */
  readonly canTalk: boolean;
  /** Null without PTZ. */
  readonly ptz: PtzController | null;
}

/** Many devices refuse a keyframe with any fault; the next one comes by itself, so they are not asked again. */
function isRefusal(capability: ChannelCapability, { kind }: DeviceFault): boolean {
  return kind === 'not-supported' || (capability === 'keyframe' && kind === 'device');
}

const snapshotTimeoutMs = 8_000;
const maxSnapshotBytes = 16 << 20;

export class OnvifChannel implements ChannelDriver {
  readonly channelNo: number;
  readonly snapshot?: (signal?: AbortSignal) => Promise<SnapshotImage>;
  readonly keyframe?: (quality: StreamQuality, signal?: AbortSignal) => Promise<void>;
  readonly config: ConfigSections;
  readonly talk?: (signal?: AbortSignal) => Promise<TalkTarget>;
  readonly ptz?: PtzController;
  readonly recorded?: (from: number, to: number, signal?: AbortSignal) => Promise<readonly RecordedSpan[]>;
  readonly replay?: (from: number, to: number, signal?: AbortSignal) => Promise<ReplaySource>;
  readonly #session: OnvifSession;
  readonly #plan: PlannedChannel;
  readonly #lost: Set<ChannelCapability>;

  constructor({ session, plan, recordings, lost, config, canTalk, ptz }: OnvifChannelOptions) {
    this.channelNo = plan.channelNo;
    this.#session = session;
    this.#plan = plan;
    this.#lost = lost;
    this.config = config;
    if (!lost.has('snapshot')) this.snapshot = (signal) => this.#using('snapshot', this.#snapshot(signal));
    if (!lost.has('keyframe')) {
      this.keyframe = (quality, signal) => this.#using('keyframe', this.#keyframe(quality, signal));
    }
    if (ptz !== null) this.ptz = ptz;
    if (canTalk && !lost.has('talk')) {
      this.talk = async (signal) => ({ ...(await this.source(0, signal)), kind: 'rtsp-backchannel' });
    }
    if (recordings !== null && !lost.has('replay')) {
      this.recorded = (from, to, signal) => this.#using('replay', recordings.spans(plan, from, to, signal));
      this.replay = (from, to, signal) => this.#using('replay', recordings.replay(plan, from, to, signal));
    }
  }

  async source(quality: StreamQuality, signal?: AbortSignal): Promise<MediaSource> {
    const { service, token } = this.#profile(quality);
    const advertised =
      service === 'media2'
        ? (await this.#session.call(getStreamUri2, { Protocol: 'RTSP', ProfileToken: token }, signal)).Uri
        : (await this.#session.call(getStreamUri, { StreamSetup: unicast, ProfileToken: token }, signal)).MediaUri.Uri;
    const url = streamUrl(this.#session.device, advertised);
    if (url === null) throw new DeviceFault('device', 'the stream address is no RTSP URL', { fault: 'bad stream URI' });
    return { kind: 'rtsp-pull', url, credentials: this.#session.credentials };
  }

  async #using<T>(capability: ChannelCapability, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof DeviceFault && isRefusal(capability, error)) this.#lost.add(capability);
      throw error;
    }
  }

  async #snapshot(signal?: AbortSignal): Promise<SnapshotImage> {
    const { service, token } = this.#profile(0);
    const advertised =
      service === 'media2'
        ? (await this.#session.call(getSnapshotUri2, { ProfileToken: token }, signal)).Uri
        : (await this.#session.call(getSnapshotUri, { ProfileToken: token }, signal)).MediaUri.Uri;
    const advertisedService = (await this.#session.services()).get(service) ?? null;
    const response = await this.#fetch(snapshotUrl(this.#session.device, advertised, advertisedService), signal);
    const isJpeg = response.body[0] === 0xff && response.body[1] === 0xd8;
    if (!isJpeg) throw new DeviceFault('device', 'the snapshot is no JPEG', { fault: 'bad snapshot' });
    return { contentType: 'image/jpeg', data: response.body };
  }

  async #keyframe(quality: StreamQuality, signal?: AbortSignal): Promise<void> {
    const { service, token } = this.#profile(quality);
    const operation = service === 'media2' ? setSynchronizationPoint2 : setSynchronizationPoint;
    await this.#session.call(operation, { ProfileToken: token }, signal);
  }

  /** The next lower quality, since a larger frame may be too much for the viewer. */
  #profile(quality: StreamQuality): MediaProfile {
    const { streams } = this.#plan;
    const planned = streams[Math.min(quality, streams.length - 1)];
    if (planned === undefined) throw new DeviceFault('no-video', 'the channel has no stream at present');
    if (!isPlayable(planned.profile.codec)) {
      throw new DeviceFault('unsupported-codec', 'the channel sends a format we cannot show', {
        fault: planned.profile.codec,
      });
    }
    return planned.profile;
  }

  async #fetch(url: URL, signal?: AbortSignal): Promise<OutboundResponse> {
    const { context } = this.#session;
    const uri = `${url.pathname}${url.search}`;
    const signals = signal === undefined ? this.#session.signal : AbortSignal.any([signal, this.#session.signal]);
    for (;;) {
      const authorization = this.#session.snapshotAuth.authorize({ method: 'GET', uri });
      const response = await context.http({
        url: url.href,
        method: 'GET',
        headers: authorization === null ? {} : { authorization },
        timeoutMs: snapshotTimeoutMs,
        maxBytes: maxSnapshotBytes,
        signal: signals,
      });
      if (response.status === 200) return response;
      const details = { fault: `HTTP ${response.status}` };
      if (response.status !== 401) {
        const kind = response.status === 404 || response.status === 501 ? 'not-supported' : 'device';
        throw new DeviceFault(kind, `the snapshot answered HTTP ${response.status}`, details);
      }
      const challenges = response.headers.get('www-authenticate') ?? [];
      if (!this.#session.snapshotAuth.challenged(challenges, authorization)) {
        throw new DeviceFault('auth', 'the snapshot refuses the credentials', details);
      }
    }
  }
}

const unicast = { Stream: 'RTP-Unicast', Transport: { Protocol: 'RTSP' } };
