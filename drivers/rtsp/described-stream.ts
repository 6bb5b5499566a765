// Reads what a session description offers: the video we can show, its audio, and its size where given.
import { BitstreamError } from '@vedette/protocols/bits/bit-reader.ts';
import { parseH264Sps } from '@vedette/protocols/h264/sps.ts';
import { h264NalType, H264_NAL } from '@vedette/protocols/h264/nal.ts';
import { h265NalType, H265_NAL } from '@vedette/protocols/h265/nal.ts';
import { parseH265Sps } from '@vedette/protocols/h265/sps.ts';
import { spropParameterSets } from '@vedette/protocols/sdp/parameter-sets.ts';
import type { Sdp, SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import { DeviceFault } from '../kit/device-fault.ts';

export interface DescribedStream {
  readonly codec: 'h264' | 'h265' | 'mjpeg';
  /** 0 where the parameter sets come in the stream only. */
  readonly width: number;
  readonly height: number;
  readonly audio: string | null;
}

const codecs: ReadonlyMap<string, DescribedStream['codec']> = new Map([
  ['JPEG', 'mjpeg'],
  ['H264', 'h264'],
  ['H265', 'h265'],
]);

const audioNames: ReadonlyMap<string, string> = new Map([
  ['MPEG4-GENERIC', 'aac'],
  ['MP4A-LATM', 'aac-latm'],
]);

export const playableAudio: ReadonlySet<string> = new Set(['aac', 'aac-latm', 'pcma', 'pcmu', 'opus']);

/** Throws DeviceFault `no-video` or `unsupported-codec`. */
export function describedStream(sdp: Sdp): DescribedStream {
  const videos = sdp.media.filter(({ kind }) => kind === 'video');
  const video = videos.find(({ encoding }) => codecs.has(encoding));
  const codec = codecs.get(video?.encoding ?? '');
  if (videos.length === 0) throw new DeviceFault('no-video', 'the stream has no video');
  if (video === undefined || codec === undefined) {
    const fault = videos[0]?.encoding ?? '';
    throw new DeviceFault('unsupported-codec', 'the stream has video in a format we cannot show', { fault });
  }
  return { codec, ...sizeOf(video, codec), audio: audioOf(sdp) };
}

/** Null for none, or one that the device does not name. */
function audioOf({ media }: Sdp): string | null {
  const encoding = media.find(({ kind }) => kind === 'audio')?.encoding ?? '';
  return encoding === '' ? null : (audioNames.get(encoding) ?? encoding.toLowerCase());
}

function sizeOf(video: SdpMedia, codec: DescribedStream['codec']): { width: number; height: number } {
  const unknown = video.size ?? { width: 0, height: 0 };
  if (codec === 'mjpeg') return unknown;
  const sets = spropParameterSets(video);
  const isSps = (set: Uint8Array) =>
    codec === 'h264' ? h264NalType(set[0] ?? 0) === H264_NAL.sps : h265NalType(set[0] ?? 0) === H265_NAL.sps;
  const sps = sets.find(isSps);
  if (sps === undefined) return unknown;
  try {
    const { width, height } = codec === 'h264' ? parseH264Sps(sps) : parseH265Sps(sps);
    return { width, height };
  } catch (error) {
    if (!(error instanceof BitstreamError)) throw error;
    return unknown;
  }
}
