// Messages between the engine and its WebRTC worker.

/** What devices listen to. */
export type RtcTalkCodec = 'pcma' | 'pcmu';

export type RtcAudioCodec = 'opus' | RtcTalkCodec;

/** What we offer: one description of the codec, or several of which the first fits best (RFC 6184, 8.2.2; RFC 7798, 7.2.2). */
export interface RtcVideo {
  readonly codec: 'H264' | 'H265';
  readonly parameters: readonly string[];
}

export interface RtcPlan {
  readonly video: RtcVideo;
  readonly audio: RtcAudioCodec | null;
}

export type ToRtcWorker =
  | { readonly type: 'open'; readonly id: number; readonly offer: string; readonly audio: RtcAudioCodec | null }
  /** `$` frames as in RTSP: channel 0 video, channel 2 audio; others are reports, which WebRTC generates itself. */
  | { readonly type: 'frames'; readonly id: number; readonly frames: Uint8Array }
  /** What edge intelligence follows, for the viewer's data channel. */
  | { readonly type: 'tracks'; readonly id: number; readonly text: string }
  /** An offer of somebody who talks. */
  | { readonly type: 'receive'; readonly id: number; readonly offer: string; readonly codec: RtcTalkCodec }
  /** We send to a server, which answers our offer. */
  | ({ readonly type: 'offer'; readonly id: number } & RtcPlan)
  | { readonly type: 'accept'; readonly id: number; readonly answer: string }
  | { readonly type: 'close'; readonly id: number };

export type FromRtcWorker =
  /** Our answer, or our offer. */
  | { readonly type: 'described'; readonly id: number; readonly description: string }
  /** The offer cannot be met, or the answer is none. */
  | { readonly type: 'refused'; readonly id: number }
  | { readonly type: 'connected'; readonly id: number }
  /** The viewer lost frames and requests a keyframe. */
  | { readonly type: 'keyWanted'; readonly id: number }
  /** The viewer wants tracks, or no longer. */
  | { readonly type: 'follow'; readonly id: number; readonly tracks: boolean }
  /** Bytes of frames sent. */
  | { readonly type: 'sent'; readonly id: number; readonly bytes: number }
  /** Samples that a talker sent. */
  | { readonly type: 'audio'; readonly id: number; readonly audio: Uint8Array }
  | { readonly type: 'closed'; readonly id: number };
