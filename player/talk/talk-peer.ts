// A talk's audio by WebRTC: offers the microphone straight to the site, and says whether it goes that way.
import type { TalkCodec } from '@vedette/contract/talk-wire.ts';

export interface TalkPeer {
  /** The site's answer; null: there is no direct way. */
  answer(sdp: string | null): void;
  close(): void;
}

export interface TalkPeerOptions {
  readonly track: MediaStreamTrack;
  readonly codec: TalkCodec;
  readonly onOffer: (sdp: string) => void;
  /** True once the audio goes directly, false when it no longer does; then the peer has closed. */
  readonly onDirect: (isDirect: boolean) => void;
}

/** Null where the browser cannot. */
export type OpenTalkPeer = (options: TalkPeerOptions) => TalkPeer | null;

/** A way that exists is found sooner. */
const CONNECT_WITHIN_MS = 3000;

export function canTalkByWebRtc(): boolean {
  return 'RTCPeerConnection' in globalThis;
}

export const openBrowserTalkPeer: OpenTalkPeer = (options) => {
  if (!canTalkByWebRtc()) return null;
  const mimeType = `audio/${options.codec}`;
  const codecs = RTCRtpSender.getCapabilities('audio')?.codecs.filter((one) => one.mimeType.toLowerCase() === mimeType);
  return codecs?.length ? new BrowserTalkPeer(options, codecs) : null;
};

class BrowserTalkPeer implements TalkPeer {
  readonly #onDirect: TalkPeerOptions['onDirect'];
  readonly #connection = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
  readonly #giveUp = setTimeout(() => this.#lost(), CONNECT_WITHIN_MS);
  #isClosed = false;

  constructor({ track, onOffer, onDirect }: TalkPeerOptions, codecs: RTCRtpCodec[]) {
    this.#onDirect = onDirect;
    const connection = this.#connection;
    // Only the codec of the device: also no comfort noise, in whose place the device would hear gaps.
    connection.addTransceiver(track, { direction: 'sendonly' }).setCodecPreferences(codecs);
    connection.onconnectionstatechange = () => this.#changed();
    this.#offer(onOffer).catch(() => this.#lost());
  }

  answer(sdp: string | null): void {
    if (sdp === null) this.#lost();
    else if (!this.#isClosed) this.#connection.setRemoteDescription({ type: 'answer', sdp }).catch(() => this.#lost());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#giveUp);
    this.#connection.close();
  }

  async #offer(onOffer: TalkPeerOptions['onOffer']): Promise<void> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    if (!this.#isClosed) onOffer(this.#connection.localDescription?.sdp ?? '');
  }

  #changed(): void {
    if (this.#isClosed) return;
    const { connectionState } = this.#connection;
    if (connectionState === 'connected') {
      clearTimeout(this.#giveUp);
      this.#onDirect(true);
    } else if (connectionState === 'failed' || connectionState === 'disconnected') this.#lost();
  }

  /** The socket takes the audio over; whatever was wrong here is the same to the talk. */
  #lost(): void {
    if (this.#isClosed) return;
    this.close();
    this.#onDirect(false);
  }
}
