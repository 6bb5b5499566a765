// One picture of a channel: the device's own JPEG, else the newest key picture as a one-sample MP4 that the browser draws.
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import type { AccessUnit, MediaFormat } from '../stream/stream.ts';
import type { SharedStream } from '../stream/shared-stream.ts';
import type { StreamHub } from '../stream/hub.ts';
import type { OpenSource } from '../source/source.ts';

export interface SnapshotPicture {
  readonly contentType: string;
  readonly data: Buffer;
}

export interface SnapshotRequest {
  readonly hub: StreamHub;
  readonly upstream: { readonly streamKey: string; readonly open: OpenSource } | null;
  readonly deviceSnapshot: ((signal: AbortSignal) => Promise<SnapshotPicture | null>) | null;
  readonly signal: AbortSignal;
  /** The device refused or failed: logged, then the key picture is tried. */
  readonly onDeviceFailure: (error: unknown) => void;
}

const VIDEO_TIMESCALE = 90_000;
const DEVICE_TIMEOUT_MS = 4000;
/** A stream that is not connected may need to connect and to wait for its next key picture. */
const KEY_TIMEOUT_MS = 8000;

/** Null when neither way gives a picture (1006). */
export async function takeSnapshot(request: SnapshotRequest): Promise<SnapshotPicture | null> {
  const { deviceSnapshot, upstream, signal, hub } = request;
  if (deviceSnapshot) {
    try {
      const own = await deviceSnapshot(AbortSignal.any([signal, AbortSignal.timeout(DEVICE_TIMEOUT_MS)]));
      if (own) return own;
    } catch (error) {
      request.onDeviceFailure(error);
    }
  }
  if (!upstream) return null;
  const lease = hub.acquire(upstream.streamKey, upstream.open);
  try {
    const found = await nextKey(lease.stream, AbortSignal.any([signal, AbortSignal.timeout(KEY_TIMEOUT_MS)]));
    return found && { contentType: 'video/mp4', data: keyAsMp4(found.format, found.unit) };
  } finally {
    lease.release();
  }
}

/** init segment + moof + mdat with one picture. */
export function keyAsMp4(format: MediaFormat, unit: AccessUnit): Buffer {
  if (!format.video) throw new RangeError('no picture in this format');
  const init = writeInitSegment([{ kind: 'video', id: 1, timescale: VIDEO_TIMESCALE, ...format.video }]);
  const header = Buffer.alloc(SAMPLE_HEADER_BYTES);
  new SampleFragmentWriter(1).write(header, 0, unit.data.length, 0, VIDEO_TIMESCALE / 25, true, 0);
  return Buffer.concat([init, header, unit.data]);
}

/** The newest key picture while it is live, else the next one; null when the wait is over. */
async function nextKey(
  stream: SharedStream,
  signal: AbortSignal,
): Promise<{ format: MediaFormat; unit: AccessUnit } | null> {
  const cached = stream.latestKey();
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
