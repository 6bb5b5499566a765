// One talker in the WebRTC worker: answers its offer of G.711, and passes on what it sends, each packet once and in order.
import type { RtpPacket } from 'werift';
import { RTC_AUDIO, RtcConnection } from './rtc-connection.ts';
import type { FromRtcWorker, RtcTalkCodec } from './rtc-messages.ts';

export interface RtcReceiverOptions {
  readonly id: number;
  readonly codec: RtcTalkCodec;
  readonly tell: (message: FromRtcWorker) => void;
}

export class RtcReceiver {
  readonly #options: RtcReceiverOptions;
  readonly #connection: RtcConnection;
  #lastSequence: number | null = null;

  constructor(options: RtcReceiverOptions) {
    this.#options = options;
    const { id, codec, tell } = options;
    this.#connection = new RtcConnection({
      video: [],
      audio: codec,
      onConnected: () => tell({ type: 'connected', id }),
      onGone: () => tell({ type: 'closed', id }),
    });
  }

  /** Rejects for an invalid offer, or one without the codec under its static payload type. */
  async answer(offer: string): Promise<string> {
    const { peer } = this.#connection;
    peer.addTransceiver('audio', { direction: 'recvonly' });
    peer.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => this.#received(packet)));
    const sdp = await this.#connection.answer(offer);
    const { mimeType, payloadType } = RTC_AUDIO[this.#options.codec];
    const name = mimeType.slice('audio/'.length);
    if (!sdp.toLowerCase().includes(`a=rtpmap:${payloadType} ${name.toLowerCase()}/8000`))
      throw new Error('the talker does not send the codec of the device');
    return sdp;
  }

  close(): void {
    this.#connection.close();
  }

  /** A late packet is dropped: in its place the pacer has already left a gap. */
  #received({ header, payload }: RtpPacket): void {
    const { id, codec, tell } = this.#options;
    if (header.payloadType !== RTC_AUDIO[codec].payloadType || payload.length === 0) return;
    const ahead = this.#lastSequence === null ? 1 : (header.sequenceNumber - this.#lastSequence) & 0xffff;
    if (ahead === 0 || ahead >= 0x8000) return;
    this.#lastSequence = header.sequenceNumber;
    // A copy: with a view, the whole buffer behind it would cross the thread.
    tell({ type: 'audio', id, audio: Uint8Array.from(payload) });
  }
}
