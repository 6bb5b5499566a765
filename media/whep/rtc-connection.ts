// A connection of the WebRTC worker: by the site's own addresses only, answered from an untrusted offer or offered by us, closed where it does not connect in time.
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift';
import { withAskableCandidates } from './offered-candidates.ts';
import type { RtcAudioCodec } from './rtc-messages.ts';

type CodecFacts = ConstructorParameters<typeof RTCRtpCodecParameters>[0];

export interface RtcConnectionOptions {
  /** None: no video. */
  readonly video: readonly CodecFacts[];
  readonly audio: RtcAudioCodec | null;
  readonly onConnected: () => void;
  /** Failed, closed by the peer, or not connected in time; called once. */
  readonly onGone: () => void;
  /** Until it has to be connected; counted anew once an answer to our offer is there. */
  readonly connectWithinMs?: number;
}

/** Timeout of ICE and DTLS: a possible direct connection succeeds well within. */
const CONNECT_WITHIN_MS = 8000;

export type RtcCodecFacts = CodecFacts;

/** G.711 has its static payload types in the offer (RFC 3551). */
export const RTC_AUDIO: Record<RtcAudioCodec, CodecFacts> = {
  opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 },
  pcma: { mimeType: 'audio/PCMA', clockRate: 8000, channels: 1, payloadType: 8 },
  pcmu: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
};

export class RtcConnection {
  readonly peer: RTCPeerConnection;
  readonly #onGone: () => void;
  #giveUp: NodeJS.Timeout;
  #isClosed = false;

  constructor({ video, audio, onConnected, onGone, connectWithinMs = CONNECT_WITHIN_MS }: RtcConnectionOptions) {
    this.#onGone = onGone;
    this.peer = new RTCPeerConnection({
      codecs: {
        video: video.map((facts) => new RTCRtpCodecParameters(facts)),
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
    this.#giveUp = setTimeout(() => this.close(), connectWithinMs);
  }

  /** Rejects for an invalid offer. */
  async answer(offer: string): Promise<string> {
    await this.peer.setRemoteDescription({ type: 'offer', sdp: askable(offer) });
    return await this.#describe(await this.peer.createAnswer());
  }

  /** Of what was added to the peer. */
  async offer(): Promise<string> {
    return await this.#describe(await this.peer.createOffer());
  }

  /** Rejects for an answer that is none to our offer. */
  async accept(answer: string): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#giveUp);
    this.#giveUp = setTimeout(() => this.close(), CONNECT_WITHIN_MS);
    await this.peer.setRemoteDescription({ type: 'answer', sdp: askable(answer) });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#giveUp);
    // A peer that is gone has nothing to say to it.
    this.peer.close().catch(() => undefined);
    this.#onGone();
  }

  async #describe(own: Awaited<ReturnType<RTCPeerConnection['createOffer']>>): Promise<string> {
    // Without a server werift would use a public STUN server, and wait five seconds if that is unreachable.
    for (const { connection: ice } of this.peer.iceTransports) delete ice.stunServer;
    await this.peer.setLocalDescription(own);
    return this.peer.localDescription?.sdp ?? '';
  }
}

/** werift connects to whoever answers where no certificate is named, which RFC 8842 5.1 requires. */
function askable(sdp: string): string {
  if (!/^a=fingerprint:\S+ \S/imu.test(sdp)) throw new Error('no certificate is named');
  return withAskableCandidates(sdp);
}
