// A live snapshot: decoded from the stream if it is connected, else the device's own, else from the next keyframe.
import { BitstreamError } from '@vedette/protocols/bits/bit-reader.ts';
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import { CodecBusy, CodecMissing, type CodecWorker, type CodedKeyframe } from '../codec/codec-worker.ts';
import { DecodeError } from '../codec/keyframe-decoder.ts';
import type { OpenSource } from '../stream/source.ts';
import type { StreamHub } from '../stream/hub.ts';
import type { SharedStream } from '../stream/shared-stream.ts';
import type { AccessUnit, MediaFormat } from '../stream/stream.ts';

export interface SnapshotImage {
  readonly contentType: string;
  readonly data: Buffer;
}

export interface SnapshotRequest {
  readonly hub: StreamHub;
  readonly codec: CodecWorker;
  readonly maxWidth: number;
  readonly upstream: { readonly streamKey: string; readonly open: OpenSource } | null;
  readonly deviceSnapshot: ((signal: AbortSignal) => Promise<SnapshotImage | null>) | null;
  readonly signal: AbortSignal;
  /** The device failed: logged, then the keyframe is tried. */
  readonly onDeviceFailure: (error: unknown) => void;
}

const VIDEO_TIMESCALE = 90_000;
const DEVICE_TIMEOUT_MS = 4000;
/** The stream may need to connect and to wait for its next keyframe. */
const KEYFRAME_TIMEOUT_MS = 8000;

/** Null if no source gives a snapshot (1006). */
export async function takeSnapshot(request: SnapshotRequest): Promise<SnapshotImage | null> {
  return (await ofWatchedStream(request)) ?? (await ofDevice(request)) ?? (await ofNextKeyframe(request));
}

/** The newest keyframe of a connected stream: no cost for the camera. */
async function ofWatchedStream({ hub, upstream, codec, maxWidth, signal }: SnapshotRequest) {
  const key = upstream && hub.stream(upstream.streamKey)?.latestKeyframe();
  const own = key && ownJpeg(key.format, key.unit);
  if (own) return own;
  const picture = key && codedKeyframe(key.format, key.unit);
  return picture && codec.isAvailable ? await asJpeg(codec, picture, maxWidth, signal) : null;
}

async function ofDevice({ deviceSnapshot, signal, onDeviceFailure }: SnapshotRequest): Promise<SnapshotImage | null> {
  if (!deviceSnapshot) return null;
  try {
    return await deviceSnapshot(AbortSignal.any([signal, AbortSignal.timeout(DEVICE_TIMEOUT_MS)]));
  } catch (error) {
    onDeviceFailure(error);
    return null;
  }
}

async function ofNextKeyframe({
  hub,
  upstream,
  codec,
  maxWidth,
  signal,
}: SnapshotRequest): Promise<SnapshotImage | null> {
  if (!upstream) return null;
  const lease = hub.acquire(upstream.streamKey, upstream.open);
  try {
    const found = await nextKeyframe(lease.stream, AbortSignal.any([signal, AbortSignal.timeout(KEYFRAME_TIMEOUT_MS)]));
    const own = found && ownJpeg(found.format, found.unit);
    if (own) return own;
    const picture = found && codedKeyframe(found.format, found.unit);
    return picture && (await asImage(codec, picture, maxWidth, signal));
  } finally {
    lease.release();
  }
}

/** JPEG, or the keyframe as a one-sample MP4 that the browser decodes. */
export async function asImage(
  codec: CodecWorker,
  picture: CodedKeyframe,
  maxWidth: number,
  signal: AbortSignal,
): Promise<SnapshotImage> {
  const jpeg = await asJpeg(codec, picture, maxWidth, signal);
  return jpeg ?? { contentType: 'video/mp4', data: keyframeAsMp4(picture) };
}

async function asJpeg(codec: CodecWorker, picture: CodedKeyframe, maxWidth: number, signal: AbortSignal) {
  try {
    return { contentType: 'image/jpeg', data: await codec.snapshot(picture, maxWidth, signal) };
  } catch (error) {
    const isKnown = [CodecMissing, CodecBusy, DecodeError, BitstreamError].some((kind) => error instanceof kind);
    if (!isKnown && !signal.aborted) throw error;
    return null;
  }
}

function codedKeyframe({ video }: MediaFormat, { data }: AccessUnit): CodedKeyframe | null {
  if (!video || video.codec === 'mjpeg') return null;
  return { format: { ...video, codec: video.codec }, data };
}

/** A frame of an MJPEG camera is a JPEG already. */
function ownJpeg({ video }: MediaFormat, { data }: AccessUnit): SnapshotImage | null {
  return video?.codec === 'mjpeg' ? { contentType: 'image/jpeg', data } : null;
}

/** Init segment + moof + mdat with one frame. */
function keyframeAsMp4({ format, data }: CodedKeyframe): Buffer {
  const init = writeInitSegment([{ kind: 'video', id: 1, timescale: VIDEO_TIMESCALE, ...format }]);
  const header = Buffer.alloc(SAMPLE_HEADER_BYTES);
  new SampleFragmentWriter(1).write(header, 0, { data, dts: 0, isKey: true, ctsOffset: 0 }, VIDEO_TIMESCALE / 25);
  return Buffer.concat([init, header, data]);
}

/** The newest live keyframe, else the next one; null after the timeout. */
async function nextKeyframe(
  stream: SharedStream,
  signal: AbortSignal,
): Promise<{ format: MediaFormat; unit: AccessUnit } | null> {
  const cached = stream.latestKeyframe();
  if (cached) return cached;
  const { promise, resolve } = Promise.withResolvers<{ format: MediaFormat; unit: AccessUnit } | null>();
  let format: MediaFormat | null = null;
  const leave = stream.addConsumer({
    format: (next) => {
      format = next;
    },
    accessUnit: (unit) => {
      if (unit.track === 'video' && unit.isKey && format) resolve({ format, unit });
    },
    discontinuity: () => undefined,
    state: (state) => {
      if (state.state === 'failed' || state.state === 'closed') resolve(null);
    },
  });
  const giveUp = (): void => resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await promise;
  } finally {
    leave();
    signal.removeEventListener('abort', giveUp);
  }
}
