// Talk to the camera by the tree's talk session: one at a time for each player.
import { openBrowserMicrophone } from '@vedette/player/talk/talk-microphone.ts';
import { canTalkByWebRtc, openBrowserTalkPeer } from '@vedette/player/talk/talk-peer.ts';
import { type TalkEnd, TalkSession } from '@vedette/player/talk/talk-session.ts';
import type { PlayerError, TalkState } from './element-types.ts';
import { type CameraChannel, refusalOf, type ServerCalls } from './server-calls.ts';

export interface TalkLineOptions {
  readonly calls: ServerCalls;
  readonly channel: CameraChannel;
  readonly onState: (state: TalkState) => void;
  readonly onRefused: (error: PlayerError) => void;
}

const ENDS = { done: null, microphone: 'microphone', lost: 'lost', code: 'refused', refused: 'refused' } as const;

export class TalkLine {
  readonly #options: TalkLineOptions;
  #session: TalkSession | null = null;

  constructor(options: TalkLineOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#session !== null;
  }

  start(): void {
    if (this.#session !== null) return;
    const { calls, channel, onState } = this.#options;
    const method = canTalkByWebRtc() ? 'webrtc' : 'ws';
    this.#session = new TalkSession({
      openMicrophone: openBrowserMicrophone,
      askAddress: (signal) => calls.call('talk/url', { ...channel, method }, signal),
      openSocket: (url) => new WebSocket(url),
      openPeer: openBrowserTalkPeer,
      onState: (state) =>
        state.kind === 'ended' ? this.#ended(state.because) : onState({ kind: state.kind, endedBy: null }),
    });
  }

  stop(): void {
    this.#session?.close();
  }

  #ended(because: TalkEnd): void {
    this.#session = null;
    this.#options.onState({ kind: 'off', endedBy: ENDS[because.kind] });
    if (because.kind === 'code') this.#options.onRefused({ code: because.code, reason: because.reason ?? null });
    const refusal = because.kind === 'refused' ? refusalOf(because.failure) : null;
    if (refusal !== null) this.#options.onRefused(refusal);
  }
}
