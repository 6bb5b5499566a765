// Detects what the browser decodes, once per codec: Media Source Extensions, WebCodecs, HLS.
import { mediaSourceClass } from './media-source.ts';

/** Families of video, as `media/url` names them. */
export const VIDEO_FAMILIES = ['h264', 'h265', 'mjpeg'] as const;
export type VideoFamily = (typeof VIDEO_FAMILIES)[number];

/** Why WebCodecs can't decode the stream; null if it can. */
export type WebCodecsObstacle = 'insecure' | 'noDecoder';

export interface Decoders {
  readonly mse: boolean;
  readonly webcodecs: WebCodecsObstacle | null;
  readonly hls: boolean;
}

export interface DecoderSupport {
  /** Ways to decode a stream of this RFC 6381 string, for example `avc1.640028`. */
  of(codecString: string): Promise<Decoders>;
}

/** Typical strings of a family, before the stream's own is known. */
const TYPICAL = { h264: 'avc1.640028', h265: 'hvc1.1.6.L120.B0' } as const;

export function browserDecoderSupport(): DecoderSupport {
  const known = new Map<string, Promise<Decoders>>();
  return {
    of(codecString) {
      const seen = known.get(codecString);
      if (seen) return seen;
      const asked = ask(codecString);
      known.set(codecString, asked);
      return asked;
    },
  };
}

/** Families that at least one transport shows; JPEG needs no media decoder. */
export async function playableFamilies(support: DecoderSupport): Promise<readonly VideoFamily[]> {
  const [h264, h265] = await Promise.all([support.of(TYPICAL.h264), support.of(TYPICAL.h265)]);
  return VIDEO_FAMILIES.filter((family) => family === 'mjpeg' || isPlayable(family === 'h264' ? h264 : h265));
}

/** Whether tiles of ordinary cameras can be decoded in a worker. */
export async function usesWebCodecs(support: DecoderSupport): Promise<boolean> {
  return (await support.of(TYPICAL.h264)).webcodecs === null;
}

export function isPlayable(decoders: Decoders): boolean {
  return decoders.mse || decoders.hls || decoders.webcodecs === null;
}

/** `h264` for `avc1.640028` and the like. */
export function familyOf(codecString: string): VideoFamily {
  if (/^(?:hvc|hev)/.test(codecString)) return 'h265';
  return /^(?:jpeg|mjpg)/.test(codecString) ? 'mjpeg' : 'h264';
}

async function ask(codecString: string): Promise<Decoders> {
  const mse = mediaSourceClass()?.isTypeSupported(`video/mp4; codecs="${codecString}"`) ?? false;
  return { mse, webcodecs: await webCodecsObstacle(codecString), hls: mse || playsHlsItself() };
}

async function webCodecsObstacle(codec: string): Promise<WebCodecsObstacle | null> {
  if (!globalThis.isSecureContext) return 'insecure';
  if (!('VideoDecoder' in globalThis) || !('OffscreenCanvas' in globalThis)) return 'noDecoder';
  try {
    const { supported } = await VideoDecoder.isConfigSupported({ codec, optimizeForLatency: true });
    return supported ? null : 'noDecoder';
  } catch (error) {
    // The browser can't parse the string.
    if (error instanceof TypeError) return 'noDecoder';
    throw error;
  }
}

/** Safari, above all on iPhones. */
function playsHlsItself(): boolean {
  return document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';
}
