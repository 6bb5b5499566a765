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

export class TileAudio {
  readonly #options: TileAudioOptions;
  /** Undefined until the stream has stated its audio format. */
  #format: LiveAudioFormat | null | undefined = undefined;
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
    if (format === undefined) return onState({ kind: 'starting' });
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
    return !this.#isClosed && !this.#player && this.#isWanted && this.#format === format;
  }
}
