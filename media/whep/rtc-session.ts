// One viewer in the WebRTC worker: answers its offer, paces packets to it, and ends when it is gone.
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, type RTCRtpTransceiver, RtpPacket } from 'werift';
import { withAskableCandidates } from './offered-candidates.ts';
import type { FromRtcWorker, RtcAudioCodec } from './rtc-messages.ts';

/** Timeout of ICE and DTLS: a possible direct connection succeeds well within. */
const CONNECT_WITHIN_MS = 8000;
/** A frame of a megabyte would overflow the viewer's socket in one burst: 128 Mbit/s at most. */
const BURST_PACKETS = 64;
const BURST_EVERY_MS = 5;
const VIDEO_CHANNEL = 0;
const AUDIO_CHANNEL = 2;
const FRAME_HEAD_BYTES = 4;

const H264 = {
  mimeType: 'video/H264',
  clockRate: 90_000,
  rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }],
  // Profiles that browsers name; their decoders accept higher ones too.
  parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
};
/** G.711 has its static payload types in the offer (RFC 3551). */
const AUDIO: Record<RtcAudioCodec, ConstructorParameters<typeof RTCRtpCodecParameters>[0]> = {
  opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 },
  pcma: { mimeType: 'audio/PCMA', clockRate: 8000, channels: 1, payloadType: 8 },
  pcmu: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
};

export class RtcSession {
  readonly #id: number;
  readonly #tell: (message: FromRtcWorker) => void;
  readonly #connection: RTCPeerConnection;
  readonly #video = new MediaStreamTrack({ kind: 'video' });
  readonly #audio: MediaStreamTrack | null;
  readonly #giveUp: NodeJS.Timeout;
  #waiting: { readonly track: MediaStreamTrack; readonly packet: Buffer }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: { id: number; audio: RtcAudioCodec | null; tell: (message: FromRtcWorker) => void }) {
    const { id, audio, tell } = options;
    this.#id = id;
    this.#tell = tell;
    this.#audio = audio === null ? null : new MediaStreamTrack({ kind: 'audio' });
    this.#connection = new RTCPeerConnection({
      codecs: {
        video: [new RTCRtpCodecParameters(H264)],
        audio: audio === null ? [] : [new RTCRtpCodecParameters(AUDIO[audio])],
      },
      // Only the site's own addresses: no STUN, no relay.
      iceServers: [],
      iceUseTcp: false,
      bundlePolicy: 'max-bundle',
    });
    this.#connection.connectionStateChange.subscribe((state) => {
      if (state === 'connected') this.#connected();
      else if (state === 'failed' || state === 'closed' || state === 'disconnected') this.close();
    });
    this.#giveUp = setTimeout(() => this.close(), CONNECT_WITHIN_MS);
  }

  /** Rejects for an invalid offer, or one without H.264. */
  async answer(offer: string): Promise<string> {
    const connection = this.#connection;
    const video = connection.addTransceiver(this.#video, { direction: 'sendonly' });
    this.#hearKeyRequests(video);
    if (this.#audio) connection.addTransceiver(this.#audio, { direction: 'sendonly' });
    await connection.setRemoteDescription({ type: 'offer', sdp: withAskableCandidates(offer) });
    const answer = await connection.createAnswer();
    // Without a server werift would use a public STUN server, and wait five seconds if that is unreachable.
    for (const { connection: ice } of connection.iceTransports) delete ice.stunServer;
    await connection.setLocalDescription(answer);
    const sdp = connection.localDescription?.sdp ?? '';
    if (!/^a=rtpmap:\d+ H264\/90000/im.test(sdp)) throw new Error('the viewer takes no H.264');
    return sdp;
  }

  send(frames: Buffer): void {
    for (let at = 0; at + FRAME_HEAD_BYTES <= frames.length; ) {
      const channel = frames.readUInt8(at + 1);
      const end = at + FRAME_HEAD_BYTES + frames.readUInt16BE(at + 2);
      const track = channel === VIDEO_CHANNEL ? this.#video : channel === AUDIO_CHANNEL ? this.#audio : null;
      const packet = frames.subarray(at + FRAME_HEAD_BYTES, end);
      if (track) this.#waiting.push({ track, packet });
      else this.#tell({ type: 'sent', id: this.#id, bytes: packet.length + FRAME_HEAD_BYTES });
      at = end;
    }
    if (this.#timer === null) this.#burst();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#giveUp);
    if (this.#timer) clearTimeout(this.#timer);
    this.#waiting = [];
    // A peer that is gone has nothing to say to it.
    this.#connection.close().catch(() => undefined);
    this.#tell({ type: 'closed', id: this.#id });
  }

  #connected(): void {
    clearTimeout(this.#giveUp);
    this.#tell({ type: 'connected', id: this.#id });
  }

  #hearKeyRequests({ sender }: RTCRtpTransceiver): void {
    sender.onPictureLossIndication.subscribe(() => this.#tell({ type: 'keyWanted', id: this.#id }));
  }

  #burst(): void {
    this.#timer = null;
    let bytes = 0;
    for (const { track, packet } of this.#waiting.splice(0, BURST_PACKETS)) {
      bytes += packet.length + FRAME_HEAD_BYTES;
      track.writeRtp(RtpPacket.deSerialize(packet));
    }
    if (bytes > 0) this.#tell({ type: 'sent', id: this.#id, bytes });
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#burst(), BURST_EVERY_MS);
  }
}
