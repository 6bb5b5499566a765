// Protocol of /media/live: one WebSocket per page, one subscription per tile, control as JSON text, media as binary.
import type { ObjectClass } from './enumerations.ts';

/** Page to engine. `id` is the page's own number for the tile, 1 to 65535, unique on the socket while subscribed. */
export type LiveRequest =
  | { readonly type: 'subscribe'; readonly id: number; readonly ticket: string; readonly audio: boolean }
  | { readonly type: 'unsubscribe'; readonly id: number }
  /** Audio on or off while video continues; switching it on starts with its init segment. */
  | { readonly type: 'listen'; readonly id: number; readonly audio: boolean }
  /** Objects that edge intelligence follows on the channel: sent from now on, paused media or not, or no longer. */
  | { readonly type: 'follow'; readonly id: number; readonly tracks: boolean }
  /** Hidden tile: no media is sent until resumed; resuming starts at the newest keyframe. */
  | { readonly type: 'pause'; readonly id: number }
  | { readonly type: 'resume'; readonly id: number }
  | { readonly type: 'ping'; readonly at: number };

export interface LiveVideoFormat {
  /** `mjpeg` has no init segment and no fragments: each frame is a `jpeg` message. */
  readonly codec: 'h264' | 'h265' | 'mjpeg';
  readonly codecString: string;
  readonly width: number;
  readonly height: number;
}

export interface LiveAudioFormat {
  readonly codec: 'aac' | 'pcma' | 'pcmu' | 'opus';
  readonly codecString: string;
  readonly sampleRate: number;
  readonly channels: number;
}

/** One object in one frame. */
export interface LiveTrack {
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  /** Median of its last frames, 0 to 1. */
  readonly score: number;
  /** In shares of the picture, from its top left corner. */
  readonly box: readonly [x: number, y: number, width: number, height: number];
  /** It stands still: it stays there until further notice, since frames in which nothing moves are not looked at. */
  readonly isStill: boolean;
}

/** What is followed in the frame that was captured at `at`, ms since 1970 UTC. */
export interface LiveTracks {
  readonly at: number;
  readonly tracks: readonly LiveTrack[];
}

/**
 * By WebRTC, on a data channel of this label that the viewer opens with its offer: it sends one word of
 * `TRACKS_WORDS`, the site a `RtcTracks` as JSON for each frame that it looked at.
 */
export const TRACKS_CHANNEL = 'tracks';
export const TRACKS_WORDS = { follow: 'follow', leave: 'leave' } as const;

export interface RtcTracks extends LiveTracks {
  /** RTP time of the video (90 kHz, 32 bits) at `at`: the viewer knows that of each frame, and needs no clock. */
  readonly rtpTime: number;
}

/** By HLS, beside the playlist of a live stream: `tracks.json?after=<ms>`. Asked for again and again, while it is wanted. */
export const HLS_TRACKS_NAME = 'tracks.json';

/** A tag of ours in the playlist of recordings whose audio no browser takes as it is, where nothing can encode it: they play without. */
export const HLS_AUDIO_LEFT_OUT = '#EXT-X-VEDETTE-AUDIO-LEFT-OUT';

export interface HlsTracks {
  /** Oldest first, with the times of the playlist (EXT-X-PROGRAM-DATE-TIME). */
  readonly frames: readonly LiveTracks[];
}

/** Engine to page. After `end` the id is free again. `code` is one of the error table (1017 share ended, 2316, 2317 …). */
export type LiveNotice =
  | {
      readonly type: 'format';
      readonly id: number;
      readonly video: LiveVideoFormat | null;
      readonly audio: LiveAudioFormat | null;
    }
  | {
      readonly type: 'state';
      readonly id: number;
      readonly state: 'connecting' | 'playing' | 'stalled';
      readonly reason?: string;
    }
  /** Frames were left out for this viewer because it was too slow. */
  | { readonly type: 'skipped'; readonly id: number; readonly frames: number }
  | ({ readonly type: 'tracks'; readonly id: number } & LiveTracks)
  | { readonly type: 'end'; readonly id: number; readonly code: number; readonly reason?: string }
  | { readonly type: 'pong'; readonly at: number; readonly now: number };

/**
 * Binary message: a header of 12 bytes, then the payload.
 * byte 0 kind · byte 1 flags (bit 0: keyframe) · bytes 2–3 subscription id (big endian) · bytes 4–11 wall clock of
 * capture in ms since 1970 UTC (float64, big endian).
 */
export const LIVE_HEADER_BYTES = 12;
export const LIVE_KIND = {
  /** ISO BMFF init segment (ftyp + moov) of the video track alone; sent before the first fragment and when the format changes. */
  videoInit: 0,
  /** moof + mdat with one access unit. The mdat payload (length-prefixed NAL units) is the tail of the message. */
  videoFragment: 1,
  /** Init segment of the audio track alone (AAC, Opus); never for G.711. */
  audioInit: 2,
  /** moof + mdat with one audio frame (AAC, Opus). */
  audioFragment: 3,
  /** Raw G.711 samples as the camera sent them. */
  audioRaw: 4,
  /** A JPEG image: from an MJPEG camera, or where the viewer decodes no video. */
  jpeg: 5,
} as const;
export const LIVE_FLAG_KEY = 1;
/** moof of a one-sample fragment has a fixed size, so that WebCodecs may slice the payload: mdat data starts here, after the 12-byte header. */
export const LIVE_ID_MAX = 65535;

/** WebSocket close codes of our own. */
export const CLOSE_CODE = { badMessage: 4400, unauthorised: 4401, tooManyTickets: 4429 } as const;
