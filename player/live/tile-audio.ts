// Audio of one tile session: off, played in sync with the video, or left to MSE where the page has no audio worklet.
import type { LiveAudioFormat } from '@vedette/contract/media-wire.ts';
import { mediaSourceClass } from '../decode/media-source.ts';
import type { LiveMedia } from '../transports/live-message.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import { canDecodeAudio } from '../audio/live-audio-decoder.ts';
import type { AudioOutput } from '../audio/audio-output.ts';
import { AudioPlayer, type AudioState } from '../audio/audio-player.ts';

export interface TileAudioOptions {
  readonly output: AudioOutput;
  readonly clock: PlayerClock;
  readonly isWanted: boolean;
  readonly volume: number;
  readonly onState: (state: AudioState) => void;
}

/** The camera has none, or none that HLS can carry: the playlist does not say which. */
const NOT_IN_HLS: AudioState = { kind: 'unavailable', because: 'notInHls' };
/** By whether the element plays audio with its video, while the stream has named no format. */
const STATE_IN_VIDEO = { true: { kind: 'playing' }, false: NOT_IN_HLS, null: { kind: 'starting' } } as const;

export class TileAudio {
  readonly #options: TileAudioOptions;
  /** Undefined until the stream has stated its audio format. */
  #format: LiveAudioFormat | null | undefined = undefined;
  /** Whether the element plays audio with its video; null where that is not its task. */
  #isInVideo: boolean | null = null;
  #isWanted: boolean;
  #volume: number;
  #player: AudioPlayer | null = null;
  #init: LiveMedia | null = null;
  #isClosed = false;

  constructor(options: TileAudioOptions) {
    this.#options = options;
    this.#isWanted = options.isWanted;
    this.#volume = options.volume;
    options.onState({ kind: options.isWanted ? 'starting' : 'off' });
  }

  /** Audio that MSE plays with the video; null if it is played here, or not at all. */
  get formatForMse(): LiveAudioFormat | null {
    if (!this.#isWanted || !this.#format || this.#options.output.isAvailable) return null;
    const { codecString } = this.#format;
    return mediaSourceClass()?.isTypeSupported(`audio/mp4; codecs="${codecString}"`) ? this.#format : null;
  }

  setFormat(format: LiveAudioFormat | null): void {
    const before = this.#format;
    this.#format = format;
    if (before?.codecString === format?.codecString && before?.sampleRate === format?.sampleRate && this.#player)
      return;
    this.#init = null;
    void this.#restart();
  }

  setInVideo(isInVideo: boolean | null): void {
    if (this.#isInVideo === isInVideo) return;
    this.#isInVideo = isInVideo;
    void this.#restart();
  }

  setWanted(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    void this.#restart();
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    this.#player?.setVolume(volume);
  }

  push(media: LiveMedia): void {
    if (media.kind === 'audioInit') this.#init = media;
    this.#player?.push(media);
  }

  frameShown(wallMs: number, shownAtMs: number): void {
    this.#player?.frameShown(wallMs, shownAtMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#player?.close();
    this.#player = null;
  }

  async #restart(): Promise<void> {
    this.#player?.close();
    this.#player = null;
    const { output, clock, onState } = this.#options;
    const format = this.#format;
    if (!this.#isWanted) return onState({ kind: 'off' });
    if (this.#isInVideo === true || format === undefined) return onState(STATE_IN_VIDEO[`${this.#isInVideo}`]);
    if (format === null) return onState({ kind: 'none' });
    if (!output.isAvailable) {
      return onState(this.formatForMse ? { kind: 'playing' } : { kind: 'unavailable', because: 'insecure' });
    }
    const isDecodable = await canDecodeAudio(format);
    if (!this.#isAwaiting(format)) return;
    if (!isDecodable) return onState({ kind: 'unavailable', because: 'noDecoder' });
    this.#player = new AudioPlayer({ format, output, clock, volume: this.#volume, onState });
    if (this.#init) this.#player.push(this.#init);
  }

  /** False if format, start or end changed meanwhile. */
  #isAwaiting(format: LiveAudioFormat): boolean {
    const isOpen = !this.#isClosed && !this.#player && this.#isInVideo !== true;
    return isOpen && this.#isWanted && this.#format === format;
  }
}
