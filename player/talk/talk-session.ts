// One talk: microphone, address and socket in their order, the audio on its way, and one state that says where it stands.
import { SUCCESS } from '@vedette/contract/errors.ts';
import { TALK_FRAME_BYTES, TALK_RATE, type TalkCodec, type TalkNotice } from '@vedette/contract/talk-wire.ts';
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { type Microphone, MicrophoneError, type MicrophoneObstacle, type OpenMicrophone } from './talk-microphone.ts';
import type { OpenTalkPeer, TalkPeer } from './talk-peer.ts';
import { TalkResampler } from './talk-resampler.ts';

export type TalkState =
  /** The browser may be asking its user. */
  | { readonly kind: 'microphone' }
  | { readonly kind: 'connecting' }
  /** `level` of the last moment, 0 to 1; directly by WebRTC, otherwise through the socket. */
  | { readonly kind: 'talking'; readonly level: number; readonly isDirect: boolean }
  | { readonly kind: 'ended'; readonly because: TalkEnd };

export type TalkEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'microphone'; readonly obstacle: MicrophoneObstacle }
  /** The address could not be had: what was thrown when it was asked for. */
  | { readonly kind: 'refused'; readonly failure: unknown }
  | { readonly kind: 'code'; readonly code: number; readonly reason?: string; readonly userName?: string }
  /** The line broke without a word. */
  | { readonly kind: 'lost' };

export interface TalkAddress {
  /** With the ticket in its fragment part. */
  readonly url: string;
  readonly codec: TalkCodec;
}

export interface TalkSessionOptions {
  readonly openMicrophone: OpenMicrophone;
  /** Asked after the microphone is there: a ticket must be used soon. */
  readonly askAddress: (signal: AbortSignal) => Promise<TalkAddress>;
  readonly openSocket: (url: string) => WebSocket;
  readonly openPeer: OpenTalkPeer;
  readonly onState: (state: TalkState) => void;
}

/** More waits only where the network is too slow for talk: then it is left out. */
const UNSENT_MAX_BYTES = TALK_RATE;
/** The meter falls slower than it rises, as meters do; per piece of 20 ms. */
const LEVEL_FALL = 0.85;
/** The level is told about 17 times a second. */
const PIECES_PER_LEVEL = 3;
/** Speech fills the upper half of a meter when shown by its root. */
const levelOf = (samples: Float32Array): number => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  return Math.min(1, Math.sqrt(Math.sqrt(power)));
};

export class TalkSession {
  readonly #options: TalkSessionOptions;
  readonly #ending = new AbortController();
  #microphone: Microphone | null = null;
  #resampler: TalkResampler | null = null;
  #socket: WebSocket | null = null;
  #peer: TalkPeer | null = null;
  #isDirect = false;
  #codec: TalkCodec | null = null;
  #rest = new Int16Array(0);
  #level = 0;
  #pieces = 0;

  /** Begins at once. */
  constructor(options: TalkSessionOptions) {
    this.#options = options;
    this.#begin().catch((failure: unknown) => this.#end({ kind: 'refused', failure }));
  }

  close(): void {
    this.#end({ kind: 'done' });
  }

  async #begin(): Promise<void> {
    const { openMicrophone, askAddress, onState } = this.#options;
    onState({ kind: 'microphone' });
    const opened = await this.#listen(openMicrophone);
    if (!opened) return;
    onState({ kind: 'connecting' });
    const address = await askAddress(this.#ending.signal);
    if (!this.#ending.signal.aborted) this.#connect(address);
  }

  async #listen(openMicrophone: OpenMicrophone): Promise<boolean> {
    try {
      const microphone = await openMicrophone(
        (samples) => this.#heard(samples),
        () => this.#end({ kind: 'microphone', obstacle: 'none' }),
      );
      this.#microphone = microphone;
      this.#resampler = new TalkResampler(microphone.rate);
      // Whoever let go of the button meanwhile does not want to be heard.
      if (this.#ending.signal.aborted) microphone.close();
      return !this.#ending.signal.aborted;
    } catch (error) {
      if (!(error instanceof MicrophoneError)) throw error;
      this.#end({ kind: 'microphone', obstacle: error.obstacle });
      return false;
    }
  }

  #connect({ url, codec }: TalkAddress): void {
    const [address = '', ticket = ''] = url.split('#');
    const socket = this.#options.openSocket(address);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: 'open', ticket }));
    socket.onmessage = ({ data }) => this.#told(JSON.parse(String(data)) as TalkNotice, codec);
    socket.onclose = () => this.#end({ kind: 'lost' });
  }

  #told(notice: TalkNotice, codec: TalkCodec): void {
    if (notice.type === 'ready') {
      this.#codec = notice.codec ?? codec;
      this.#talking();
      this.#offer(this.#codec);
    } else if (notice.type === 'answer') this.#peer?.answer(notice.sdp);
    else {
      const { type: _type, code, ...rest } = notice;
      this.#end(code === SUCCESS ? { kind: 'done' } : { kind: 'code', code, ...rest });
    }
  }

  #talking(): void {
    this.#options.onState({ kind: 'talking', level: this.#level, isDirect: this.#isDirect });
  }

  /** The socket carries the audio until the direct way is open, and again when that is lost: nobody waits for it. */
  #offer(codec: TalkCodec): void {
    const track = this.#microphone?.track ?? null;
    if (track === null) return;
    this.#peer = this.#options.openPeer({
      track,
      codec,
      onOffer: (sdp) => this.#socket?.send(JSON.stringify({ type: 'offer', sdp })),
      onDirect: (isDirect) => {
        this.#isDirect = isDirect;
        this.#rest = new Int16Array(0);
        if (!this.#ending.signal.aborted) this.#talking();
      },
    });
  }

  #heard(samples: Float32Array): void {
    const sound = this.#resampler?.push(samples);
    const codec = this.#codec;
    if (!sound || codec === null || this.#ending.signal.aborted) return;
    this.#level = Math.max(levelOf(samples), this.#level * LEVEL_FALL);
    this.#pieces += 1;
    if (this.#pieces % PIECES_PER_LEVEL === 0) this.#talking();
    if (!this.#isDirect) this.#send(codec, sound);
  }

  /** Whole frames; what is left over waits for the next piece. */
  #send(codec: TalkCodec, sound: Int16Array): void {
    const all = new Int16Array(this.#rest.length + sound.length);
    all.set(this.#rest);
    all.set(sound, this.#rest.length);
    const whole = all.length - (all.length % TALK_FRAME_BYTES);
    this.#rest = all.slice(whole);
    const socket = this.#socket;
    if (whole === 0 || socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_MAX_BYTES) return;
    socket.send(Uint8Array.from(encodeG711(codec, all.subarray(0, whole))));
  }

  #end(because: TalkEnd): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    this.#microphone?.close();
    this.#peer?.close();
    if (this.#socket) {
      this.#socket.onclose = null;
      this.#socket.close();
    }
    this.#options.onState({ kind: 'ended', because });
  }
}
