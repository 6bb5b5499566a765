// The types of the media engine: what a source produces and what every consumer receives.
import type { Slab, SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';

/** Picture format of a stream; `config` is the avcC or hvcC record (ISO 14496-15 5.3.3, 8.3.3) without its box header, empty for MJPEG. */
export interface VideoFormat {
  readonly codec: 'h264' | 'h265' | 'mjpeg';
  /** RFC 6381, for example `avc1.64001f`; `mjpeg` has no such word of its own. */
  readonly codecString: string;
  readonly width: number;
  readonly height: number;
  readonly config: Buffer;
}

/** Sound format of a stream; `config` is the AudioSpecificConfig for AAC and empty for G.711. */
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
 * One picture (all its NAL units, 4-byte length prefixed, parameter sets left out; or one whole JPEG) or one audio frame.
 * `data` belongs to the receiver for good: it is never written again and may be kept or shared. Only to who says that it
 * holds slabs (`StreamConsumer.holdsSlabs`) it belongs for as long as it holds `slab`, and for the call without that.
 */
export interface AccessUnit {
  readonly track: 'video' | 'audio';
  readonly data: Buffer;
  readonly isKey: boolean;
  /** Decode time in ticks of the track (video 90 kHz, audio its sample rate); strictly increasing, never wraps, restarts only after `discontinuity`. */
  readonly dts: number;
  /** Presentation minus decode time, in ticks of the track; 0 without B-pictures. */
  readonly ctsOffset: number;
  /** Wall clock of capture in milliseconds since 1970 UTC: from the device's sender report where plausible, else arrival. Follows arrival within seconds. */
  readonly wallMs: number;
  /** Bytes ahead of `data` in the same memory that belong to the stream's hub, for headers; absent without any. */
  readonly room?: number;
  /** Memory around `data` that is used again when nobody holds it; absent where it is not. */
  readonly slab?: Slab | undefined;
}

/** Why the time line of a stream broke before the next access unit. */
export type DiscontinuityReason = 'connected' | 'lost-packets' | 'timestamp-jump' | 'format-changed';

export interface StreamConsumer {
  /** It keeps no unit without holding its slab. */
  readonly holdsSlabs?: true;
  /** For who opens a source: memory to put units into. Units then have a slab. */
  readonly slabs?: SlabPool;
  /** Units may come a fifth of a second later, several in one go: nobody watches. May change at any time. */
  readonly isPatient?: boolean;
  /** Called before the first access unit and whenever the format changes. */
  format(format: MediaFormat): void;
  accessUnit(unit: AccessUnit): void;
  discontinuity(reason: DiscontinuityReason): void;
  state(state: SourceState): void;
}

/** What a source is doing, as the tile and the health page show it. */
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
  /** Pictures come, and none with which a decoder could begin. */
  | 'no-key-picture'
  | 'refused-address'
  /** What answers is less safe than, or not, what was added. */
  | 'untrusted'
  /** It costs more than any device may, and is left alone. */
  | 'misbehaving';
