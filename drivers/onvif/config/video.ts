// Section `video`: the encoders behind a channel's streams, with the limits of each codec (ONVIF Media 5.5, Media2 5.5).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  getVideoEncoder,
  getVideoEncoderOptions,
  getVideoEncoderOptions2,
  getVideoEncoders2,
  setVideoEncoder,
  setVideoEncoder2,
} from '@vedette/protocols/onvif/encoder-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { MediaProfile } from '../session/media-profiles.ts';
import type { OnvifSession } from '../session/onvif-session.ts';
import { limitsOf } from './image.ts';
import { changedOnly, pick, type SectionSource } from './section-source.ts';

type Stream = NonNullable<SectionValue<'video'>['streams']>[number];
type StreamLimits = NonNullable<SectionReading<'video'>['capabilities']['streams']>['item'];
type Encoder1 = TypeOf<typeof getVideoEncoder.response>['Configuration'];
type Encoder2 = TypeOf<typeof setVideoEncoder2.request>['Configuration'];
type Options1 = TypeOf<typeof getVideoEncoderOptions.response>['Options'];
type Options2 = TypeOf<typeof getVideoEncoderOptions2.response>['Options'][number];

const encodings = { h264: 'H264', h265: 'H265', mjpeg: 'JPEG' } as const;
const names = ['main', 'second', 'third'];

interface Encoder {
  readonly stream: Stream;
  /** Limits by codec. */
  readonly limits: Readonly<Record<string, StreamLimits>>;
  readonly write: (next: Stream, signal?: AbortSignal) => Promise<void>;
}

export function videoSection({ session, plan }: SectionSource): ConfigSection<'video'> {
  const read = async (signal?: AbortSignal): Promise<Encoder[]> => {
    if (plan.streams.length === 0) throw new DeviceFault('not-supported', 'the channel has no stream to set');
    const opened = plan.streams.map(({ profile }, at) => {
      const name = names[at] ?? String(at);
      return profile.service === 'media2'
        ? open2(session, profile, name, signal)
        : open1(session, profile, name, signal);
    });
    return await Promise.all(opened);
  };
  return {
    read: async (signal) => readingOf(await read(signal)),
    write: async (next, before, signal) => {
      const encoders = await read(signal);
      for (const wish of next.streams ?? []) {
        const encoder = encoders.find(({ stream }) => stream.id === wish.id);
        if (encoder === undefined || Object.keys(changedOnly(wish, encoder.stream)).length === 0) continue;
        await encoder.write({ ...encoder.stream, ...wish }, signal);
      }
    },
  };
}

function readingOf(encoders: readonly Encoder[]): SectionReading<'video'> {
  const byKey = encoders.flatMap(({ stream, limits }) =>
    Object.entries(limits).map(([codec, own]): [string, StreamLimits] => [`${stream.id} ${codec}`, own]),
  );
  return {
    value: { streams: encoders.map(({ stream }) => stream) },
    capabilities: {
      streams: { most: encoders.length, isFixed: true, item: byKey[0]?.[1] ?? {}, byKey: Object.fromEntries(byKey) },
    },
  };
}

async function open2(
  session: OnvifSession,
  profile: MediaProfile,
  name: string,
  signal?: AbortSignal,
): Promise<Encoder> {
  const ConfigurationToken = profile.encoderToken;
  const [{ Configurations }, { Options }] = await Promise.all([
    session.call(getVideoEncoders2, { ConfigurationToken }, signal),
    session.call(getVideoEncoderOptions2, { ConfigurationToken }, signal),
  ]);
  const before = Configurations.find(({ token }) => token === ConfigurationToken) ?? Configurations[0];
  if (before === undefined)
    throw new DeviceFault('device', 'the device lacks its own encoder', { fault: 'no encoder' });
  return {
    stream: streamOf2(before, name),
    limits: limitsOf2(Options),
    write: async (next, late) => {
      await session.call(setVideoEncoder2, { Configuration: encoderOf2(next, before) }, late);
    },
  };
}

async function open1(
  session: OnvifSession,
  profile: MediaProfile,
  name: string,
  signal?: AbortSignal,
): Promise<Encoder> {
  const ConfigurationToken = profile.encoderToken;
  const [{ Configuration: before }, { Options }] = await Promise.all([
    session.call(getVideoEncoder, { ConfigurationToken }, signal),
    session.call(getVideoEncoderOptions, { ConfigurationToken, ProfileToken: profile.token }, signal),
  ]);
  return {
    stream: streamOf1(before, name),
    limits: limitsOf1(Options),
    write: async (next, late) => {
      const request = { Configuration: encoderOf1(next, before), ForcePersistence: true };
      await session.call(setVideoEncoder, request, late);
    },
  };
}

function commonOf(encoder: Encoder1 | Encoder2, name: string): Stream {
  const { token: id, Encoding = '', Resolution, RateControl, Quality } = encoder;
  return pick<Stream>({
    id,
    name,
    codec: wordOf(Encoding),
    resolution: Resolution === undefined ? undefined : sizeWord(Resolution),
    fps: RateControl?.FrameRateLimit,
    bitrate: RateControl?.BitrateLimit,
    quality: Quality,
  });
}

export function streamOf2(encoder: Encoder2, name: string): Stream {
  return pick<Stream>({ ...commonOf(encoder, name), gop: encoder.GovLength });
}

export function streamOf1(encoder: Encoder1, name: string): Stream {
  return pick<Stream>({ ...commonOf(encoder, name), gop: encoder.H264?.GovLength });
}

export function encoderOf2(next: Stream, before: Encoder2): Encoder2 {
  return pick<Encoder2>({
    ...before,
    GovLength: next.gop ?? before.GovLength,
    // Profiles are specific to the codec.
    Profile: next.codec === wordOf(before.Encoding ?? '') ? before.Profile : undefined,
    Encoding: encodingOf(next.codec) ?? before.Encoding,
    Resolution: sizeOf(next.resolution) ?? before.Resolution,
    RateControl: pick({ ...before.RateControl, FrameRateLimit: next.fps, BitrateLimit: next.bitrate }),
    Quality: next.quality ?? before.Quality,
  });
}

export function encoderOf1(next: Stream, before: Encoder1): Encoder1 {
  return pick<Encoder1>({
    ...before,
    Encoding: encodingOf(next.codec) ?? before.Encoding,
    Resolution: sizeOf(next.resolution) ?? before.Resolution,
    Quality: next.quality ?? before.Quality,
    RateControl: pick({
      EncodingInterval: 1,
      ...before.RateControl,
      FrameRateLimit: next.fps,
      BitrateLimit: next.bitrate,
    }),
    H264: next.codec === 'h264' ? pick({ H264Profile: 'Main', ...before.H264, GovLength: next.gop }) : undefined,
  });
}

export function limitsOf2(options: readonly Options2[]): Record<string, StreamLimits> {
  const codecs = { options: options.flatMap(({ Encoding }) => wordOf(Encoding) ?? []) };
  return Object.fromEntries(
    options.flatMap((one) => {
      const codec = wordOf(one.Encoding);
      if (codec === undefined) return [];
      const rates = numbersOf(one.FrameRatesSupported);
      const gops = numbersOf(one.GovLengthRange);
      const limits = pick<StreamLimits>({
        codec: codecs,
        resolution: { options: one.ResolutionsAvailable.map(sizeWord) },
        fps: spanOf(rates),
        bitrate: limitsOf(one.BitrateRange),
        gop: spanOf(gops),
        quality: limitsOf(one.QualityRange),
      });
      return [[codec, limits]];
    }),
  );
}

export function limitsOf1(options: Options1): Record<string, StreamLimits> {
  const { H264, JPEG, Extension, QualityRange } = options;
  const offered = [
    ['h264', H264, Extension?.H264],
    ['mjpeg', JPEG, Extension?.JPEG],
  ] as const;
  const present = offered.filter(([, own]) => own !== undefined && own.ResolutionsAvailable.length > 0);
  const codecs = { options: present.map(([codec]) => codec) };
  return Object.fromEntries(
    present.map(([codec, own, more]) => [
      codec,
      pick<StreamLimits>({
        codec: codecs,
        resolution: { options: (own?.ResolutionsAvailable ?? []).map(sizeWord) },
        fps: limitsOf(own?.FrameRateRange),
        bitrate: limitsOf(more?.BitrateRange ?? own?.BitrateRange) ?? UNTOLD_BITRATE,
        gop: limitsOf(own?.GovLengthRange),
        quality: limitsOf(QualityRange),
      }),
    ]),
  );
}

/** Early versions of media 1 have no bitrate limits; the device rejects invalid ones. */
const UNTOLD_BITRATE = { min: 32, max: 16_384 } as const;

function wordOf(encoding: string): string | undefined {
  const plain = encoding.toUpperCase().replace(/[^A-Z0-9]/gu, '');
  if (plain === 'HEVC') return 'h265';
  return Object.entries(encodings).find(([, theirs]) => theirs === plain)?.[0];
}

function encodingOf(codec: string | undefined): string | undefined {
  return encodings[codec as keyof typeof encodings];
}

function sizeWord({ Width, Height }: { readonly Width: number; readonly Height: number }): string {
  return `${Width}x${Height}`;
}

function sizeOf(word: string | undefined): { Width: number; Height: number } | undefined {
  const [Width, Height] = (word ?? '').split('x').map(Number);
  return Width === undefined || Height === undefined ? undefined : { Width, Height };
}

function numbersOf(list: string | undefined): number[] {
  return (list ?? '').split(/\s+/u).filter(Boolean).map(Number).filter(Number.isFinite);
}

function spanOf(values: readonly number[]): { min: number; max: number } | undefined {
  return values.length === 0 ? undefined : { min: Math.min(...values), max: Math.max(...values) };
}
