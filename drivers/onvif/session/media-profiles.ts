// Reads the media profiles of a device into one flat form, from media 2 where it works, else from media 1.
import {
  getAudioOutputs,
  getProfiles,
  getVideoSourceConfigurations,
  getVideoSources,
} from '@vedette/protocols/onvif/media-operations.ts';
import { getAudioOutputConfigurations2, getProfiles2 } from '@vedette/protocols/onvif/media2-operations.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { OnvifSession } from './onvif-session.ts';

export interface MediaProfile {
  readonly service: 'media' | 'media2';
  readonly token: string;
  readonly sourceToken: string;
  /** Of the source configuration; events name either of the two. */
  readonly sourceConfiguration: string;
  /** The device's name of the source configuration, or ''. */
  readonly sourceName: string;
  /** Profiles that share an encoder give the same stream. */
  readonly encoderToken: string;
  /** Lower case: `h264`, `h265`, `mjpeg` … */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number | null;
  readonly kbps: number | null;
  readonly audio: string | null;
  /** The head that turns the camera; null where there is none. */
  readonly ptz: { readonly configuration: string; readonly node: string | null } | null;
}

export interface DeviceMedia {
  readonly profiles: readonly MediaProfile[];
  /** Video sources in the order of the device; empty where it does not list them. */
  readonly sourceTokens: readonly string[];
  readonly hasSpeaker: boolean;
}

export async function readDeviceMedia(session: OnvifSession, signal?: AbortSignal): Promise<DeviceMedia> {
  const services = await session.services();
  const profiles = services.has('media2') ? await readMedia2(session, signal) : [];
  const chosen = profiles.length > 0 ? profiles : await readMedia1(session, signal);
  const sourceTokens = services.has('media') ? await readSourceTokens(session, signal) : [];
  return { profiles: chosen, sourceTokens, hasSpeaker: await readHasSpeaker(session, signal) };
}

/** Some devices announce media 2 and break at it (one crashes at GetProfiles): then media 1 is asked. */
async function readMedia2(session: OnvifSession, signal?: AbortSignal): Promise<MediaProfile[]> {
  const Type = ['VideoSource', 'VideoEncoder', 'AudioEncoder', 'PTZ'];
  const answer = await orNull(session, session.call(getProfiles2, { Type }, signal));
  return (answer?.Profiles ?? []).flatMap(({ token, Configurations: parts }) => {
    const { VideoSource: source, VideoEncoder: encoder, AudioEncoder: audio, PTZ: head } = parts ?? {};
    if (source === undefined || encoder === undefined) return [];
    return {
      service: 'media2',
      token,
      ...sourceOf(source),
      ...encoderOf(encoder),
      audio: audioWord(audio?.Encoding),
      ptz: headOf(head),
    };
  });
}

async function readMedia1(session: OnvifSession, signal?: AbortSignal): Promise<MediaProfile[]> {
  const { Profiles } = await session.call(getProfiles, {}, signal);
  return Profiles.flatMap((profile) => {
    const { VideoSourceConfiguration: source, VideoEncoderConfiguration: encoder, PTZConfiguration } = profile;
    if (source === undefined || encoder === undefined) return [];
    return {
      service: 'media',
      token: profile.token,
      ...sourceOf(source),
      ...encoderOf(encoder),
      audio: audioWord(profile.AudioEncoderConfiguration?.Encoding),
      ptz: headOf(PTZConfiguration),
    };
  });
}

interface SentSource {
  readonly token: string;
  readonly SourceToken?: string | undefined;
  readonly Name?: string | undefined;
}

function sourceOf(source: SentSource): Pick<MediaProfile, 'sourceToken' | 'sourceConfiguration' | 'sourceName'> {
  return {
    sourceToken: source.SourceToken ?? source.token,
    sourceConfiguration: source.token,
    sourceName: source.Name?.trim() ?? '',
  };
}

/** Both services name the same things of an encoder. */
interface SentEncoder {
  readonly token: string;
  readonly Encoding?: string | undefined;
  readonly Resolution?: { readonly Width: number; readonly Height: number } | undefined;
  readonly RateControl?:
    | { readonly FrameRateLimit?: number | undefined; readonly BitrateLimit?: number | undefined }
    | undefined;
}

function encoderOf({
  token,
  Encoding,
  Resolution,
  RateControl,
}: SentEncoder): Pick<MediaProfile, 'encoderToken' | 'codec' | 'width' | 'height' | 'fps' | 'kbps'> {
  return {
    encoderToken: token,
    codec: codecWord(Encoding),
    width: Resolution?.Width ?? 0,
    height: Resolution?.Height ?? 0,
    fps: RateControl?.FrameRateLimit ?? null,
    kbps: RateControl?.BitrateLimit ?? null,
  };
}

function headOf(
  sent: { readonly token: string; readonly NodeToken?: string | undefined } | undefined,
): MediaProfile['ptz'] {
  return sent === undefined ? null : { configuration: sent.token, node: sent.NodeToken ?? null };
}

async function readSourceTokens(session: OnvifSession, signal?: AbortSignal): Promise<string[]> {
  const sources = await orNull(session, session.call(getVideoSources, {}, signal));
  if (sources !== null) return sources.VideoSources.map(({ token }) => token);
  const configurations = await orNull(session, session.call(getVideoSourceConfigurations, {}, signal));
  const tokens = (configurations?.Configurations ?? []).map(({ SourceToken, token }) => SourceToken ?? token);
  return [...new Set(tokens)];
}

async function readHasSpeaker(session: OnvifSession, signal?: AbortSignal): Promise<boolean> {
  const services = await session.services();
  if (services.has('media')) {
    const outputs = await orNull(session, session.call(getAudioOutputs, {}, signal));
    return (outputs?.AudioOutputs.length ?? 0) > 0;
  }
  const made = await orNull(session, session.call(getAudioOutputConfigurations2, {}, signal));
  return (made?.Configurations.length ?? 0) > 0;
}

/** What a device refuses or breaks at is absent; a device that is away is another matter. */
export async function orNull<T>(session: OnvifSession, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DeviceFault) || !(error.kind === 'device' || error.kind === 'not-supported')) throw error;
    session.context.log.debug({ fault: error.fault }, error.message);
    return null;
  }
}

/** Media 1 writes `H264`, media 2 `H264` and `H265`, some devices `HEVC`; RTP media type names otherwise. */
function codecWord(encoding: string | undefined): string {
  const word = (encoding ?? '').toLowerCase().replace(/[^a-z0-9]/gu, '');
  return videoWords.get(word) ?? word;
}

const videoWords: ReadonlyMap<string, string> = new Map([
  ['hevc', 'h265'],
  ['avc', 'h264'],
  ['jpeg', 'mjpeg'],
]);

/** Null for none. */
function audioWord(encoding: string | undefined): string | null {
  if (encoding === undefined) return null;
  const word = encoding.toLowerCase();
  return audioWords.get(word) ?? word;
}

// Media 1 names G.711 without its law; it is μ-law by the specification (Media 5.5).
const audioWords: ReadonlyMap<string, string> = new Map([
  ['g711', 'pcmu'],
  ['mp4a-latm', 'aac'],
  ['mpeg4-generic', 'aac'],
]);
