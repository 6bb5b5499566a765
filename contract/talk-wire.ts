// Protocol of /media/talk: one WebSocket per talk; the page sends G.711 as binary messages or, from an offer on, by WebRTC; control is JSON text.

/** What devices take: A-law or u-law at 8 kHz, one channel. */
export type TalkCodec = 'pcma' | 'pcmu';

export type TalkRequest =
  /** First message of the page, within 5 s. */
  | { readonly type: 'open'; readonly ticket: string }
  /** At most once, after `ready`: offers the codec of `ready` by WebRTC. Until it is connected, audio goes through the socket. */
  | { readonly type: 'offer'; readonly sdp: string };

export type TalkNotice =
  /** The device is ready: audio may be sent from now on. */
  | { readonly type: 'ready'; readonly codec: TalkCodec }
  /** Null: no connection by WebRTC, or none any more; audio goes through the socket. */
  | { readonly type: 'answer'; readonly sdp: string | null }
  /**
   * The last message. 200: ended as it should (the page fell silent); 1018: somebody else talks, `userName` says who;
   * 1006: the device takes no audio; 2316, 2317: `reason` is one of DEVICE_REASONS; 1004, 1017 …: the right ended.
   */
  | { readonly type: 'end'; readonly code: number; readonly reason?: string; readonly userName?: string };

/** 20 ms at 8 kHz, one byte a sample; a message may hold several frames. */
export const TALK_FRAME_BYTES = 160;
export const TALK_RATE = 8000;
/** A talking page sends continuously, silence too; after this time without data it counts as gone and the talk lock is released. */
export const TALK_SILENCE_MS = 2000;
