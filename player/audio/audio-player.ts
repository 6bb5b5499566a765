// Plays one tile's audio: decodes it, keeps it in sync with the video, and reports why nothing can be heard.
import type { LiveAudioFormat } from '@vedette/contract/media-wire.ts';
import type { LiveMedia } from '../transports/live-message.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import { type DecodedAudio, openLiveAudioDecoder, type LiveAudioDecoder } from './live-audio-decoder.ts';
import type { AudioSink, AudioOutput, AudioSinkReport } from './audio-output.ts';
import { AudioSync } from './audio-sync.ts';

export type AudioState =
  | { readonly kind: 'off' }
  /** Requested, and nothing heard yet. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'playing' }
  /** Blocked by the browser until a click or a key press. */
  | { readonly kind: 'blocked' }
  /** The camera sends no audio. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unavailable'; readonly because: 'insecure' | 'noDecoder' | 'notInHls' };

export interface AudioPlayerOptions {
  readonly format: LiveAudioFormat;
  readonly output: AudioOutput;
  readonly clock: PlayerClock;
  /** 0 to 1. */
  readonly volume: number;
  readonly onState: (state: AudioState) => void;
}

const JUMP_SETTLES_MS = 150;

export class AudioPlayer {
  readonly #options: AudioPlayerOptions;
  readonly #sync = new AudioSync();
  readonly #decoder: LiveAudioDecoder;
  readonly #stopListening: () => void;
  #sink: AudioSink | null = null;
  #volume: number;
  #rate = 0;
  #channels = 0;
  #ratio = 1;
  /** Reports before this were sent before the last jump was executed, ms. */
  #jumpingUntil = 0;
  #hasAudio = false;
  #isClosed = false;

  constructor(options: AudioPlayerOptions) {
    this.#options = options;
    this.#volume = options.volume;
    this.#decoder = openLiveAudioDecoder({
      format: options.format,
      onAudio: (sound) => this.#play(sound),
      onFault: () => this.#isClosed || options.onState({ kind: 'unavailable', because: 'noDecoder' }),
    });
    this.#stopListening = options.output.onChange(() => this.#tell());
    options.onState({ kind: 'starting' });
    void this.#open();
  }

  push(media: LiveMedia): void {
    if (!this.#isClosed) this.#decoder.push(media);
  }

  /** A frame captured at `wallMs` was displayed at `shownAtMs`. */
  frameShown(wallMs: number, shownAtMs: number): void {
    this.#sync.frameShown(shownAtMs - wallMs);
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    this.#sink?.setVolume(volume);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#decoder.close();
    this.#sink?.close();
    this.#sink = null;
  }

  async #open(): Promise<void> {
    try {
      const line = await this.#options.output.open((report) => this.#follow(report));
      if (this.#isClosed) return line.close();
      line.setVolume(this.#volume);
      this.#sink = line;
      this.#tell();
    } catch {
      // The worklet failed to load: only its failure can be reported.
      if (!this.#isClosed) this.#options.onState({ kind: 'unavailable', because: 'noDecoder' });
    }
  }

  #play({ wallMs, rate, channels }: DecodedAudio): void {
    const now = this.#options.clock.wallMs();
    const line = this.#sink;
    if (!line || !this.#sync.arrived(now - wallMs, now)) return;
    // Dropped, so that blocked audio does not accumulate.
    if (this.#options.output.isBlocked) return;
    if (rate !== this.#rate || channels.length !== this.#channels) {
      this.#rate = rate;
      this.#channels = channels.length;
      line.send({ type: 'format', rate, channels: channels.length });
    }
    line.send({ type: 'samples', wallMs, channels });
    if (this.#hasAudio) return;
    this.#hasAudio = true;
    this.#tell();
  }

  #follow({ wallMs, heardAtMs, isSilent, starved }: AudioSinkReport): void {
    const now = this.#options.clock.wallMs();
    if (starved > 0 && now > this.#jumpingUntil) this.#sync.ranDry();
    if (isSilent || this.#isClosed || now < this.#jumpingUntil) return;
    const move = this.#sync.correct(heardAtMs - wallMs);
    if (move.kind === 'jump') {
      this.#sink?.send({ type: 'jump', ms: move.ms });
      this.#jumpingUntil = now + JUMP_SETTLES_MS + Math.max(0, -move.ms);
    }
    const ratio = move.kind === 'ratio' ? move.ratio : 1;
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#sink?.send({ type: 'ratio', ratio });
  }

  #tell(): void {
    if (this.#isClosed || !this.#sink) return;
    const { output, onState } = this.#options;
    if (output.isBlocked) onState({ kind: 'blocked' });
    else onState({ kind: this.#hasAudio ? 'playing' : 'starting' });
  }
}
