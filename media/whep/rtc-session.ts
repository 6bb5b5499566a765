// One viewer in the WebRTC worker, or one server that we send to: describes what is sent, paces packets to it, and ends when it is gone.
import { TRACKS_CHANNEL, TRACKS_WORDS } from '@vedette/contract/media-wire.ts';
import { MediaStreamTrack, type RTCDataChannel, type RTCRtpTransceiver, RtpPacket } from 'werift';
import { type RtcCodecFacts, RtcConnection } from './rtc-connection.ts';
import type { FromRtcWorker, RtcAudioCodec, RtcVideo } from './rtc-messages.ts';
import { h264Parameters } from './video-parameters.ts';

/** A frame of a megabyte would overflow the viewer's socket in one burst: 128 Mbit/s at most. */
const BURST_PACKETS = 64;
const BURST_EVERY_MS = 5;
/** Beyond it a viewer does not read. */
const TRACKS_QUEUE_BYTES = 64 * 1024;
const VIDEO_CHANNEL = 0;
const AUDIO_CHANNEL = 2;
const FRAME_HEAD_BYTES = 4;

/** A profile that browsers name; their decoders accept higher ones too. */
const VIEWED: RtcVideo = { codec: 'H264', parameters: [h264Parameters('42e01f')] };
/** The answer to an offer comes by HTTP. */
const OFFERED_WITHIN_MS = 30_000;

export interface RtcSessionOptions {
  readonly id: number;
  readonly audio: RtcAudioCodec | null;
  /** What we offer; absent: a viewer offers. */
  readonly video?: RtcVideo;
  readonly tell: (message: FromRtcWorker) => void;
}

export class RtcSession {
  readonly #id: number;
  readonly #tell: (message: FromRtcWorker) => void;
  readonly #connection: RtcConnection;
  readonly #video = new MediaStreamTrack({ kind: 'video' });
  readonly #audio: MediaStreamTrack | null;
  #tracks: RTCDataChannel | null = null;
  #waiting: { readonly track: MediaStreamTrack; readonly packet: Buffer }[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor({ id, audio, video, tell }: RtcSessionOptions) {
    this.#id = id;
    this.#tell = tell;
    this.#audio = audio === null ? null : new MediaStreamTrack({ kind: 'audio' });
    this.#connection = new RtcConnection({
      video: videoFacts(video ?? VIEWED),
      audio,
      ...(video && { connectWithinMs: OFFERED_WITHIN_MS }),
      onConnected: () => tell({ type: 'connected', id }),
      onGone: () => this.#gone(),
    });
    this.#connection.peer.onDataChannel.subscribe((channel) => this.#opened(channel));
  }

  /** Rejects for an invalid offer, or one without H.264. */
  async answer(offer: string): Promise<string> {
    this.#addTracks();
    const sdp = await this.#connection.answer(offer);
    if (!/^a=rtpmap:\d+ H264\/90000/im.test(sdp)) throw new Error('the viewer takes no H.264');
    return sdp;
  }

  async offer(): Promise<string> {
    this.#addTracks();
    return await this.#connection.offer();
  }

  /** Rejects for an answer that is none to the offer. */
  async accept(answer: string): Promise<void> {
    await this.#connection.accept(answer);
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

  /** A viewer that does not read misses some: each says all that is followed. */
  sendTracks(text: string): void {
    const channel = this.#tracks;
    if (channel?.readyState === 'open' && channel.bufferedAmount <= TRACKS_QUEUE_BYTES) channel.send(text);
  }

  close(): void {
    this.#connection.close();
  }

  #gone(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#waiting = [];
    this.#tell({ type: 'closed', id: this.#id });
  }

  #addTracks(): void {
    const { peer } = this.#connection;
    this.#hearKeyRequests(peer.addTransceiver(this.#video, { direction: 'sendonly' }));
    if (this.#audio) peer.addTransceiver(this.#audio, { direction: 'sendonly' });
  }

  /** One is enough for whoever is no stranger; what else a viewer opens is not heard. */
  #opened(channel: RTCDataChannel): void {
    if (channel.label !== TRACKS_CHANNEL || this.#tracks !== null) return;
    this.#tracks = channel;
    let isFollowing = false;
    channel.onMessage.subscribe((word) => {
      const isWanted = word === TRACKS_WORDS.follow;
      if (isWanted === isFollowing || (!isWanted && word !== TRACKS_WORDS.leave)) return;
      isFollowing = isWanted;
      this.#tell({ type: 'follow', id: this.#id, tracks: isWanted });
    });
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

function videoFacts({ codec, parameters }: RtcVideo): RtcCodecFacts[] {
  const rtcpFeedback = [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }];
  return parameters.map((one) => ({ mimeType: `video/${codec}`, clockRate: 90_000, rtcpFeedback, parameters: one }));
}
