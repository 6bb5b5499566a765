// The types of the media engine: what a source produces and what every consumer receives.
import type { Slab, SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';

/** Video format; `config` is the avcC or hvcC record (ISO 14496-15 5.3.3, 8.3.3) without its box header, empty for MJPEG. */
export interface VideoFormat {
  readonly codec: 'h264' | 'h265' | 'mjpeg';
  /** RFC 6381, for example `avc1.64001f`; `mjpeg` is our own. */
  readonly codecString: string;
  readonly width: number;
  readonly height: number;
  readonly config: Buffer;
}

/** Audio format; `config` is the AudioSpecificConfig for AAC and empty for G.711. */
export interface AudioFormat {
  readonly codec: 'aac' | 'pcma' | 'pcmu' | 'opus';
  readonly codecString: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly config: Buffer;
}

export interface MediaFormat {
  readonly video: VideoFormat | null;
  readonly audio: AudioFormat | null;
}

/**
 * One video frame (all NAL units with 4-byte length prefixes, without parameter sets; or one JPEG) or one audio frame.
 * `data` is never overwritten and may be kept or shared, except by consumers that hold slabs
 * (`StreamConsumer.holdsSlabs`): for them it is valid while they hold `slab`, or else during the call.
 */
export interface AccessUnit {
  readonly track: 'video' | 'audio';
  readonly data: Buffer;
  readonly isKey: boolean;
  /** Decode time in ticks of the track (video 90 kHz, audio its sample rate); strictly increasing, never wraps, restarts only after `discontinuity`. */
  readonly dts: number;
  /** Presentation minus decode time, in ticks of the track; 0 without B-frames. */
  readonly ctsOffset: number;
  /** Capture time in milliseconds since 1970 UTC: from the device's sender report if plausible, else from arrival. Follows arrival within seconds. */
  readonly wallMs: number;
  /** Bytes before `data` in the same memory, reserved for headers by the hub; absent without any. */
  readonly room?: number;
  /** Reusable memory of `data`; absent if it is not reused. */
  readonly slab?: Slab | undefined;
}

/** Why the time line broke before the next access unit. */
export type DiscontinuityReason = 'connected' | 'lost-packets' | 'timestamp-jump' | 'format-changed';

export interface StreamConsumer {
  /** It holds the slab of each unit that it keeps. */
  readonly holdsSlabs?: true;
  /** Memory for units, which then have a slab. */
  readonly slabs?: SlabPool;
  /** Units may be delayed by a fifth of a second, in batches: nobody watches. May change at any time. */
  readonly isPatient?: boolean;
  /** Called before the first access unit and when the format changes. */
  format(format: MediaFormat): void;
  accessUnit(unit: AccessUnit): void;
  discontinuity(reason: DiscontinuityReason): void;
  state(state: SourceState): void;
}

/** State of a source, as tile and health page show it. */
export type SourceState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'playing'; readonly since: number }
  | { readonly state: 'failed'; readonly reason: SourceFailure; readonly retryAt: number }
  | { readonly state: 'closed' };

export type SourceFailure =
  | 'unreachable'
  | 'timeout'
  | 'authentication'
  | 'not-found'
  | 'protocol'
  | 'no-video'
  | 'unsupported-codec'
  /** Frames arrive without a keyframe. */
  | 'no-key-picture'
  | 'refused-address'
  /** The device is another one, or less secure, than when it was added. */
  | 'untrusted'
  /** Quarantined. */
  | 'misbehaving';
