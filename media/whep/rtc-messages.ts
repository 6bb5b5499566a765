// Messages between the engine and its WebRTC worker.

/** What devices listen to. */
export type RtcTalkCodec = 'pcma' | 'pcmu';

export type RtcAudioCodec = 'opus' | RtcTalkCodec;

export type ToRtcWorker =
  | { readonly type: 'open'; readonly id: number; readonly offer: string; readonly audio: RtcAudioCodec | null }
  /** `$` frames as in RTSP: channel 0 video, channel 2 audio; others are reports, which WebRTC generates itself. */
  | { readonly type: 'frames'; readonly id: number; readonly frames: Uint8Array }
  /** An offer of somebody who talks. */
  | { readonly type: 'receive'; readonly id: number; readonly offer: string; readonly codec: RtcTalkCodec }
  | { readonly type: 'close'; readonly id: number };

export type FromRtcWorker =
  | { readonly type: 'answer'; readonly id: number; readonly answer: string }
  /** The offer cannot be met. */
  | { readonly type: 'refused'; readonly id: number }
  | { readonly type: 'connected'; readonly id: number }
  /** The viewer lost frames and requests a keyframe. */
  | { readonly type: 'keyWanted'; readonly id: number }
  /** Bytes of frames sent. */
  | { readonly type: 'sent'; readonly id: number; readonly bytes: number }
  /** Samples that a talker sent. */
  | { readonly type: 'audio'; readonly id: number; readonly audio: Uint8Array }
  | { readonly type: 'closed'; readonly id: number };
