// A connection of the WebRTC worker: by the site's own addresses only, answered from an untrusted offer, closed where it does not connect in time.
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift';
import { withAskableCandidates } from './offered-candidates.ts';
import type { RtcAudioCodec } from './rtc-messages.ts';

type CodecFacts = ConstructorParameters<typeof RTCRtpCodecParameters>[0];

export interface RtcConnectionOptions {
  readonly video: CodecFacts | null;
  readonly audio: RtcAudioCodec | null;
  readonly onConnected: () => void;
  /** Failed, closed by the peer, or not connected in time; called once. */
  readonly onGone: () => void;
}

/** Timeout of ICE and DTLS: a possible direct connection succeeds well within. */
const CONNECT_WITHIN_MS = 8000;

/** G.711 has its static payload types in the offer (RFC 3551). */
export const RTC_AUDIO: Record<RtcAudioCodec, CodecFacts> = {
  opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 },
  pcma: { mimeType: 'audio/PCMA', clockRate: 8000, channels: 1, payloadType: 8 },
  pcmu: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
};

export class RtcConnection {
  readonly peer: RTCPeerConnection;
  readonly #onGone: () => void;
  readonly #giveUp: NodeJS.Timeout;
  #isClosed = false;

  constructor({ video, audio, onConnected, onGone }: RtcConnectionOptions) {
    this.#onGone = onGone;
    this.peer = new RTCPeerConnection({
      codecs: {
        video: video === null ? [] : [new RTCRtpCodecParameters(video)],
        audio: audio === null ? [] : [new RTCRtpCodecParameters(RTC_AUDIO[audio])],
      },
      // Only the site's own addresses: no STUN, no relay.
      iceServers: [],
      iceUseTcp: false,
      bundlePolicy: 'max-bundle',
    });
    this.peer.connectionStateChange.subscribe((state) => {
      if (state === 'connected') {
        clearTimeout(this.#giveUp);
        onConnected();
      } else if (state === 'failed' || state === 'closed' || state === 'disconnected') this.close();
    });
    this.#giveUp = setTimeout(() => this.close(), CONNECT_WITHIN_MS);
  }

  /** Rejects for an invalid offer. */
  async answer(offer: string): Promise<string> {
    await this.peer.setRemoteDescription({ type: 'offer', sdp: withAskableCandidates(offer) });
    const answer = await this.peer.createAnswer();
    // Without a server werift would use a public STUN server, and wait five seconds if that is unreachable.
    for (const { connection: ice } of this.peer.iceTransports) delete ice.stunServer;
    await this.peer.setLocalDescription(answer);
    return this.peer.localDescription?.sdp ?? '';
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#giveUp);
    // A peer that is gone has nothing to say to it.
    this.peer.close().catch(() => undefined);
    this.#onGone();
  }
}
