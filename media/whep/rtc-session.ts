// One viewer in the WebRTC worker: answers its offer, paces packets to it, and ends when it is gone.
import { MediaStreamTrack, type RTCRtpTransceiver, RtpPacket } from 'werift';
import { RtcConnection } from './rtc-connection.ts';
import type { FromRtcWorker, RtcAudioCodec } from './rtc-messages.ts';

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

export class RtcSession {
  readonly #id: number;
  readonly #tell: (message: FromRtcWorker) => void;
  readonly #connection: RtcConnection;
  readonly #video = new MediaStreamTrack({ kind: 'video' });
  readonly #audio: MediaStreamTrack | null;
  #waiting: { readonly track: MediaStreamTrack; readonly packet: Buffer }[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { id: number; audio: RtcAudioCodec | null; tell: (message: FromRtcWorker) => void }) {
    const { id, audio, tell } = options;
    this.#id = id;
    this.#tell = tell;
    this.#audio = audio === null ? null : new MediaStreamTrack({ kind: 'audio' });
    this.#connection = new RtcConnection({
      video: H264,
      audio,
      onConnected: () => tell({ type: 'connected', id }),
      onGone: () => this.#gone(),
    });
  }

  /** Rejects for an invalid offer, or one without H.264. */
  async answer(offer: string): Promise<string> {
    const { peer } = this.#connection;
    const video = peer.addTransceiver(this.#video, { direction: 'sendonly' });
    this.#hearKeyRequests(video);
    if (this.#audio) peer.addTransceiver(this.#audio, { direction: 'sendonly' });
    const sdp = await this.#connection.answer(offer);
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
    this.#connection.close();
  }

  #gone(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#waiting = [];
    this.#tell({ type: 'closed', id: this.#id });
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
