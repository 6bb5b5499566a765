// Shows the video of one tile session: opens the transport chosen by the policy, and switches it without a blank moment.
import type { LiveAudioFormat, LiveTracks, LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import type { DecoderSupport } from '../decode/decoder-support.ts';
import type { LiveMedia } from '../transports/live-message.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { LiveTransport, MakeTransport, ShownFrame, TransportFault } from '../transports/transport.ts';
import type { TransportChoice } from '../transports/transport-choice.ts';
import type { TilePolicy } from '../transports/transport-policy.ts';

export interface TransportSwitcherOptions {
  readonly video: HTMLVideoElement;
  readonly canvas: HTMLCanvasElement;
  readonly clock: PlayerClock;
  readonly tilePolicy: TilePolicy;
  readonly support: DecoderSupport;
  readonly makeTransport: MakeTransport;
  readonly hlsUrl: string | null;
  /** Set for direct media from the site. */
  readonly whepUrl: string | null;
  /** Restart the stream at its newest keyframe. */
  readonly restart: () => void;
  readonly onFrame: (frame: ShownFrame) => void;
  /** Bytes received other than by `push`. */
  readonly onReceived: (bytes: number) => void;
  /** What edge intelligence follows, where the transport gets that itself; null where the next ones have times of another clock. */
  readonly onTracks: (tracks: LiveTracks | null) => void;
  /** Whether the element plays audio with its video; null where it is played apart. */
  readonly onAudioInVideo: (hasAudio: boolean | null) => void;
  /** The displayed frame is outdated, and a new one is on its way. */
  readonly onStalled: () => void;
  readonly onEnd: (end: TransportEnd) => void;
}

export type TransportEnd =
  | { readonly how: 'lost' }
  /** Direct media failed. */
  | { readonly how: 'indirect' }
  | { readonly how: 'fault'; readonly message: string }
  | { readonly how: 'format'; readonly codec: string };

/** After a second decoder fault within this time the decoder is not restarted again. */
const FAULT_FORGIVEN_MS = 30_000;
const DIRECT: TransportChoice = { kind: 'webrtc', because: 'direct' };
const STILLS: TransportChoice = { kind: 'jpeg', because: 'stills' };
const JPEG_FORMAT: LiveVideoFormat = { codec: 'h264', codecString: 'jpeg', width: 0, height: 0 };

export class TransportSwitcher {
  readonly #options: TransportSwitcherOptions;
  #format: LiveVideoFormat | null = null;
  /** Audio played by MSE with the video; null if played separately. */
  #audio: LiveAudioFormat | null = null;
  #choice: TransportChoice | null = null;
  #transport: LiveTransport | null = null;
  /** Keeps its last frame until the new transport shows one. */
  #leaving: LiveTransport | null = null;
  #inits: { video: LiveMedia | null; audio: LiveMedia | null } = { video: null, audio: null };
  /** Received while the browser was asked about the format. */
  #early: LiveMedia[] | null = null;
  #faultAt = Number.NEGATIVE_INFINITY;
  #followsTracks = false;
  #isClosed = false;

  constructor(options: TransportSwitcherOptions) {
    this.#options = options;
  }

  get choice(): TransportChoice | null {
    return this.#choice;
  }

  /** RFC 6381 string of the current stream. */
  get codec(): string {
    return this.#choice?.kind === 'jpeg' ? 'jpeg' : (this.#format?.codecString ?? '');
  }

  get droppedFrames(): number {
    return this.#transport?.droppedFrames ?? 0;
  }

  async setFormat(format: LiveVideoFormat, audio: LiveAudioFormat | null): Promise<void> {
    const isSame = isSameCodec(this.#format, format) && isSameCodec(this.#audio, audio);
    this.#format = format;
    this.#audio = audio;
    if (isSame && this.#transport) return;
    this.#early ??= [];
    const choice = await this.#choose();
    if (this.#isClosed || this.#format !== format) return;
    const early = this.#early ?? [];
    this.#early = null;
    if (!choice) return this.#options.onEnd({ how: 'format', codec: format.codecString });
    this.#open(choice);
    for (const media of early) this.push(media);
  }

  push(media: LiveMedia): void {
    if (media.kind === 'videoInit') this.#inits = { ...this.#inits, video: media };
    if (media.kind === 'audioInit') this.#inits = { ...this.#inits, audio: media };
    if (media.kind === 'jpeg' && this.#choice?.kind !== 'jpeg') this.#open(STILLS);
    if (this.#early) this.#early.push(media);
    else this.#transport?.push(media);
  }

  /** Whether the transport gets tracks itself: those that come with the media then have other times. */
  get hasOwnTracks(): boolean {
    return this.#transport?.follow !== undefined;
  }

  follow(isWanted: boolean): void {
    this.#followsTracks = isWanted;
    this.#transport?.follow?.(isWanted);
  }

  expectGap(): void {
    this.#transport?.expectGap();
  }

  /** Lets the policy choose another transport. */
  async reconsider(): Promise<void> {
    if (!this.#transport || this.#choice?.kind === 'jpeg' || this.#options.whepUrl !== null) return;
    const choice = await this.#choose();
    if (this.#isClosed || !choice || !this.#choice) return;
    if (choice.kind === this.#choice.kind) this.#choice = choice;
    else this.#change(choice);
  }

  /** False without a frame. */
  paint(canvas: HTMLCanvasElement): boolean {
    return (this.#leaving ?? this.#transport)?.paint(canvas) ?? false;
  }

  close(): void {
    this.#isClosed = true;
    this.#leaving?.close();
    this.#transport?.close();
  }

  async #choose(): Promise<TransportChoice | null> {
    const { tilePolicy, support } = this.#options;
    const codec = this.#format?.codecString ?? '';
    if (this.#options.whepUrl !== null) return DIRECT;
    if (this.#format?.codec === 'mjpeg') return STILLS;
    return tilePolicy.choose(codec, await support.of(codec));
  }

  #change(choice: TransportChoice): void {
    this.#open(choice);
    for (const init of [this.#inits.video, this.#inits.audio]) if (init) this.#transport?.push(init);
    this.#options.restart();
  }

  #open(choice: TransportChoice): void {
    const { video, canvas, clock, hlsUrl, whepUrl, tilePolicy, makeTransport } = this.#options;
    this.#leaving?.close();
    this.#leaving = this.#transport;
    // Two of a kind would share the element.
    if (this.#leaving && usesVideo(this.#leaving.kind) && usesVideo(choice.kind)) this.#dismiss();
    else this.#leaving?.hold();
    this.#choice = choice;
    this.#options.onAudioInVideo(null);
    const hadOwnTracks = this.hasOwnTracks;
    const transport = makeTransport(choice.kind, {
      video,
      canvas,
      isTakingOver: this.#leaving !== null,
      videoFormat: this.#format ?? JPEG_FORMAT,
      audioFormat: this.#audio,
      hlsUrl,
      whepUrl,
      now: () => clock.wallMs(),
      onFrame: (frame) => {
        if (this.#transport !== transport) return;
        this.#dismiss();
        this.#options.onFrame(frame);
      },
      onReceived: (bytes) => this.#options.onReceived(bytes),
      onTracks: (tracks) => {
        if (this.#transport === transport) this.#options.onTracks(tracks);
      },
      onAudioInVideo: (hasAudio) => {
        if (this.#transport === transport) this.#options.onAudioInVideo(hasAudio);
      },
      onFault: (fault) => this.#transport === transport && this.#fault(fault),
      onMeasured: (decodeMs) => tilePolicy.measured(decodeMs),
    });
    this.#transport = transport;
    if (this.hasOwnTracks !== hadOwnTracks) this.#options.onTracks(null);
    if (this.#followsTracks) transport.follow?.(true);
  }

  #dismiss(): void {
    this.#leaving?.close();
    this.#leaving = null;
  }

  #fault(fault: TransportFault): void {
    const { tilePolicy, onEnd, onStalled } = this.#options;
    if (fault.kind === 'over') return onEnd({ how: 'lost' });
    if (this.#options.whepUrl !== null) return onEnd({ how: 'indirect' });
    const [choice, codec] = [this.#choice, this.#format?.codecString ?? ''];
    if (!choice) return;
    if (fault.kind === 'lag') {
      tilePolicy.lagged();
      return void this.reconsider();
    }
    const now = this.#options.clock.wallMs();
    const isSecond = now - this.#faultAt < FAULT_FORGIVEN_MS;
    this.#faultAt = now;
    if (fault.kind === 'decode' && !isSecond) {
      onStalled();
      return this.#change(choice);
    }
    void this.#giveUp(choice, codec, fault);
  }

  /** This transport can't show the stream: try another one, else end the attempt. */
  async #giveUp(failed: TransportChoice, codec: string, fault: TransportFault): Promise<void> {
    const { tilePolicy, onEnd } = this.#options;
    if (fault.kind === 'format') tilePolicy.refused(failed.kind, codec);
    else tilePolicy.failed(failed.kind);
    this.#faultAt = Number.NEGATIVE_INFINITY;
    const choice = await this.#choose();
    if (this.#isClosed) return;
    if (choice && choice.kind !== failed.kind) return this.#change(choice);
    onEnd(fault.kind === 'decode' ? { how: 'fault', message: fault.message } : { how: 'format', codec });
  }
}

type CodecOf = Pick<LiveVideoFormat | LiveAudioFormat, 'codecString'> | null;

function isSameCodec(one: CodecOf, other: CodecOf): boolean {
  return one?.codecString === other?.codecString;
}

function usesVideo(kind: LiveTransport['kind']): boolean {
  return kind === 'mse' || kind === 'hls' || kind === 'webrtc';
}
