// Wire of the feed: between a site and the gateway that serves its viewers, over a local socket, one connection for all streams.
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { LiveRefusal } from '../live/live-grant.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState } from '../stream/stream.ts';

/** Gateway to site. `id` names a ticket that was shown, `stream` a stream; both are numbers of the gateway's own, never used twice. */
export type FeedRequest =
  | { readonly type: 'authorise'; readonly id: number; readonly ticket: string }
  /** Bytes that were sent to the viewer since the last such message. */
  | { readonly type: 'sent'; readonly id: number; readonly bytes: number }
  /** What edge intelligence follows on the channel of the ticket is wanted, or no longer. */
  | { readonly type: 'follow'; readonly id: number; readonly tracks: boolean }
  /** The viewer has left. */
  | { readonly type: 'release'; readonly id: number }
  /** Of the stream that a granted ticket is for; it stays open until `close`, whatever becomes of that ticket. */
  | { readonly type: 'open'; readonly stream: number; readonly id: number }
  | { readonly type: 'keyframe'; readonly stream: number }
  | { readonly type: 'close'; readonly stream: number };

/** What a gateway needs of a grant; the rest stays at the site. */
export interface FeedGrant {
  readonly sessionId: string;
  readonly holder: string;
  readonly streamKey: string;
  readonly mayHear?: boolean;
  readonly pageOrigin?: string;
  readonly until?: { readonly wallMs: number; readonly code: number };
}

/** Site to gateway. */
export type FeedNotice =
  | { readonly type: 'granted'; readonly id: number; readonly grant: FeedGrant }
  | { readonly type: 'refused'; readonly id: number; readonly refusal: LiveRefusal }
  /** A granted right has ended. */
  | { readonly type: 'ended'; readonly id: number; readonly code: number; readonly reason?: string }
  | ({ readonly type: 'tracks'; readonly id: number } & LiveTracks)
  | { readonly type: 'format'; readonly stream: number; readonly format: WireFormat }
  | { readonly type: 'discontinuity'; readonly stream: number; readonly reason: DiscontinuityReason }
  | { readonly type: 'state'; readonly stream: number; readonly state: SourceState }
  /** Pictures that the source left out so far while it waited for a keyframe. */
  | { readonly type: 'leftOut'; readonly stream: number; readonly units: number };

type WireTrack<T> = (Omit<T, 'config'> & { readonly config: string }) | null;

/** Codec configurations in base64. */
export interface WireFormat {
  readonly video: WireTrack<NonNullable<MediaFormat['video']>>;
  readonly audio: WireTrack<NonNullable<MediaFormat['audio']>>;
}

/**
 * A frame: bytes 0–3 length of what follows (big endian) · byte 4 kind · body.
 * A message is JSON. A unit is: bytes 5–8 stream · byte 9 flags · bytes 10–17 dts (float64) · bytes 18–21 ctsOffset (int32) ·
 * bytes 22–29 wallMs (float64) · data.
 */
export const FRAME_KIND = { message: 0, unit: 1 } as const;
export const PREFIX_BYTES = 5;
export const UNIT_HEAD_BYTES = 30;
/** Longest message: a format with its parameter sets, or a ticket. */
export const MESSAGE_MAX_BYTES = 1024 * 1024;
const FLAG = { key: 1, audio: 2 } as const;
const KIND_BYTES = 1;
const LENGTH_BYTES = 4;

export interface UnitHead {
  readonly stream: number;
  readonly track: AccessUnit['track'];
  readonly isKey: boolean;
  readonly dts: number;
  readonly ctsOffset: number;
  readonly wallMs: number;
}

export function encodeMessage(message: FeedRequest | FeedNotice): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + body.length);
  frame.writeUInt32BE(KIND_BYTES + body.length, 0);
  frame[LENGTH_BYTES] = FRAME_KIND.message;
  body.copy(frame, PREFIX_BYTES);
  return frame;
}

/** What stands before the data of a unit. */
export function encodeUnitHead(stream: number, unit: AccessUnit): Buffer {
  const head = Buffer.allocUnsafe(UNIT_HEAD_BYTES);
  head.writeUInt32BE(UNIT_HEAD_BYTES - LENGTH_BYTES + unit.data.length, 0);
  head[LENGTH_BYTES] = FRAME_KIND.unit;
  head.writeUInt32BE(stream, 5);
  head[9] = (unit.isKey ? FLAG.key : 0) | (unit.track === 'audio' ? FLAG.audio : 0);
  head.writeDoubleBE(unit.dts, 10);
  head.writeInt32BE(unit.ctsOffset, 18);
  head.writeDoubleBE(unit.wallMs, 22);
  return head;
}

export function decodeUnitHead(head: Buffer): UnitHead {
  const flags = head.readUInt8(9);
  return {
    stream: head.readUInt32BE(5),
    track: (flags & FLAG.audio) === 0 ? 'video' : 'audio',
    isKey: (flags & FLAG.key) !== 0,
    dts: head.readDoubleBE(10),
    ctsOffset: head.readInt32BE(18),
    wallMs: head.readDoubleBE(22),
  };
}

export function toWireFormat({ video, audio }: MediaFormat): WireFormat {
  return {
    video: video && { ...video, config: video.config.toString('base64') },
    audio: audio && { ...audio, config: audio.config.toString('base64') },
  };
}

export function fromWireFormat({ video, audio }: WireFormat): MediaFormat {
  return {
    video: video && { ...video, config: Buffer.from(video.config, 'base64') },
    audio: audio && { ...audio, config: Buffer.from(audio.config, 'base64') },
  };
}
