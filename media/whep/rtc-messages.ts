// Messages between the engine and its WebRTC worker.

export type RtcAudioCodec = 'opus' | 'pcma' | 'pcmu';

export type ToRtcWorker =
  | { readonly type: 'open'; readonly id: number; readonly offer: string; readonly audio: RtcAudioCodec | null }
  /** `$` frames as RTSP has them: channel 0 pictures, channel 2 sound; the others are reports, which WebRTC makes itself. */
  | { readonly type: 'frames'; readonly id: number; readonly frames: Uint8Array }
  | { readonly type: 'close'; readonly id: number };

export type FromRtcWorker =
  | { readonly type: 'answer'; readonly id: number; readonly answer: string }
  /** The offer cannot be met. */
  | { readonly type: 'refused'; readonly id: number }
  | { readonly type: 'connected'; readonly id: number }
  /** The viewer lost pictures and asks for a keyframe. */
  | { readonly type: 'keyWanted'; readonly id: number }
  /** So many bytes of frames have left. */
  | { readonly type: 'sent'; readonly id: number; readonly bytes: number }
  | { readonly type: 'closed'; readonly id: number };
