// A stream of any codec that ffmpeg encodes, as access units with their times, for tests of what is done with recordings of it.
import { run } from '../../tests/harness/ffprobe.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import { FragmentReader, type FragmentSample } from './fragment-reader.ts';
import type { StreamConsumer, VideoFormat } from '../stream/stream.ts';

export interface EncodedStream {
  readonly format: VideoFormat;
  readonly samples: readonly FragmentSample[];
}

export interface EncodedStreamOptions {
  readonly codec: VideoFormat['codec'];
  readonly size: string;
  readonly seconds: number;
  readonly fps: number;
  /** As ffmpeg wants them. */
  readonly encoder: readonly string[];
}

export async function encodeStream({
  codec,
  size,
  seconds,
  fps,
  encoder,
}: EncodedStreamOptions): Promise<EncodedStream> {
  const source = ['-f', 'lavfi', '-i', `color=c=0x606060:s=${size}:r=${fps}:d=${seconds}`];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-video_track_timescale', '90000'];
  const args = ['-v', 'error', ...source, ...encoder, ...fragments, '-f', 'mp4', '-'];
  const { bytes, stderr, code } = await run('ffmpeg', args);
  if (code !== 0) throw new Error(stderr);
  let format: VideoFormat | null = null;
  const samples: FragmentSample[] = [];
  const reader = new FragmentReader({
    init: (init) => {
      const [track] = readInitSegment(init);
      if (!track) throw new Error('no track');
      const config = codec === 'mjpeg' ? Buffer.alloc(0) : Buffer.from(track.config);
      format = { codec, codecString: codec, width: track.width, height: track.height, config };
    },
    sample: (sample) => samples.push(sample),
  });
  reader.push(bytes);
  if (!format) throw new Error('no format');
  return { format, samples };
}

/** The frame that is shown first was captured at `startMs`. */
export function feedEncoded(consumer: StreamConsumer, { format, samples }: EncodedStream, startMs: number): void {
  consumer.format({ video: format, audio: null });
  const first = Math.min(...samples.map(({ dts, ctsOffset }) => dts + ctsOffset));
  for (const sample of samples) {
    const wallMs = startMs + (sample.dts + sample.ctsOffset - first) / 90;
    consumer.accessUnit({ track: 'video', ...sample, wallMs });
  }
}
