// Creates the depacketiser of a track from its session description.
import { parseAudioSpecificConfig } from '@vedette/protocols/aac/audio-specific-config.ts';
import { AacDepacketiser, PlainAudioDepacketiser } from '@vedette/protocols/rtp/depacketise-audio.ts';
import { H264Depacketiser } from '@vedette/protocols/rtp/depacketise-h264.ts';
import { H265Depacketiser } from '@vedette/protocols/rtp/depacketise-h265.ts';
import { JpegDepacketiser } from '@vedette/protocols/rtp/depacketise-jpeg.ts';
import { LatmDepacketiser } from '@vedette/protocols/rtp/depacketise-latm.ts';
import type { Depacketiser, DepacketiserSink } from '@vedette/protocols/rtp/picture-assembler.ts';
import { SLAB_BYTES, type SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { UnitArena } from '@vedette/protocols/rtp/unit-arena.ts';
import { auHeaderSizes, usesDecodingOrder } from '@vedette/protocols/sdp/parameter-sets.ts';
import type { SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import { UNIT_ROOM_BYTES } from '../stream/live-fragment.ts';
import type { AudioFormat } from '../stream/stream.ts';
import { type FormatTracker, JpegFormatTracker } from './format-tracker.ts';
import { videoCodecOf } from './track-selection.ts';
import { VideoFormatTracker } from './video-format-tracker.ts';

const AUDIO_SLAB_BYTES = 16_384;

export function openFormatTracker(media: SdpMedia): FormatTracker {
  const codec = videoCodecOf(media) ?? 'h264';
  return codec === 'mjpeg' ? new JpegFormatTracker() : new VideoFormatTracker(codec);
}

/** With `slabs` coded frames lie in reusable memory, except JPEG. */
export function openVideo(media: SdpMedia, sink: DepacketiserSink, slabs: SlabPool | null): Depacketiser {
  const codec = videoCodecOf(media);
  if (codec === 'mjpeg') return new JpegDepacketiser(new UnitArena(UNIT_ROOM_BYTES), sink, media.size);
  const arena = new UnitArena(UNIT_ROOM_BYTES, SLAB_BYTES, slabs);
  return codec === 'h265'
    ? new H265Depacketiser(arena, sink, usesDecodingOrder(media))
    : new H264Depacketiser(arena, sink);
}

export function openAudio(
  media: SdpMedia,
  format: AudioFormat,
  sink: DepacketiserSink,
  slabs: SlabPool | null,
): Depacketiser {
  const arena = new UnitArena(UNIT_ROOM_BYTES, AUDIO_SLAB_BYTES, slabs);
  if (format.codec !== 'aac') return new PlainAudioDepacketiser(arena, sink);
  const { frameLength, sampleRate } = parseAudioSpecificConfig(format.config);
  // Counts in ticks of the RTP clock, which differs from the codec's rate for HE-AAC.
  const ticks = Math.round((frameLength * media.clockRate) / sampleRate);
  if (media.encoding === 'MP4A-LATM') return new LatmDepacketiser(arena, sink, ticks);
  return new AacDepacketiser(arena, sink, auHeaderSizes(media), ticks);
}
