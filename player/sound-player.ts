// Plays one tile's audio: decodes it, keeps it in sync with the video, and reports why nothing can be heard.
import type { LiveAudioFormat } from '@vedette/contract/media-wire.ts';
import type { LiveMedia } from './live-message.ts';
import type { PlayerClock } from './player-clock.ts';
import { type DecodedSound, openSoundDecoder, type SoundDecoder } from './sound-decoder.ts';
import type { SoundLine, SoundOutput, SoundReport } from './sound-output.ts';
import { SoundSync } from './sound-sync.ts';

export type SoundState =
  | { readonly kind: 'off' }
  /** Asked for, and nothing heard yet. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'playing' }
  /** The browser waits for a click or a key. */
  | { readonly kind: 'blocked' }
  /** The camera sends none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unavailable'; readonly because: 'insecure' | 'noDecoder' };

export interface SoundPlayerOptions {
  readonly format: LiveAudioFormat;
  readonly output: SoundOutput;
  readonly clock: PlayerClock;
  /** 0 to 1. */
  readonly volume: number;
  readonly onState: (state: SoundState) => void;
}

const JUMP_SETTLES_MS = 150;

export class SoundPlayer {
  readonly #options: SoundPlayerOptions;
  readonly #sync = new SoundSync();
  readonly #decoder: SoundDecoder;
  readonly #stopListening: () => void;
  #line: SoundLine | null = null;
  #volume: number;
  #rate = 0;
  #channels = 0;
  #ratio = 1;
  /** Reports until then were sent before the last jump was done, ms. */
  #jumpingUntil = 0;
  #hasSound = false;
  #isClosed = false;

  constructor(options: SoundPlayerOptions) {
    this.#options = options;
    this.#volume = options.volume;
    this.#decoder = openSoundDecoder({
      format: options.format,
      onSound: (sound) => this.#play(sound),
      onFault: () => this.#isClosed || options.onState({ kind: 'unavailable', because: 'noDecoder' }),
    });
    this.#stopListening = options.output.onChange(() => this.#tell());
    options.onState({ kind: 'starting' });
    void this.#open();
  }

  push(media: LiveMedia): void {
    if (!this.#isClosed) this.#decoder.push(media);
  }

  /** A frame of capture instant `wallMs` came on screen at `shownAtMs`. */
  pictureShown(wallMs: number, shownAtMs: number): void {
    this.#sync.pictureShown(shownAtMs - wallMs);
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    this.#line?.setVolume(volume);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#decoder.close();
    this.#line?.close();
    this.#line = null;
  }

  async #open(): Promise<void> {
    try {
      const line = await this.#options.output.open((report) => this.#follow(report));
      if (this.#isClosed) return line.close();
      line.setVolume(this.#volume);
      this.#line = line;
      this.#tell();
    } catch {
      // The worklet could not be fetched or started: heard or not is all that can be told.
      if (!this.#isClosed) this.#options.onState({ kind: 'unavailable', because: 'noDecoder' });
    }
  }

  #play({ wallMs, rate, channels }: DecodedSound): void {
    const now = this.#options.clock.wallMs();
    const line = this.#line;
    if (!line || !this.#sync.arrived(now - wallMs, now)) return;
    // What the browser does not let out must not pile up.
    if (this.#options.output.isBlocked) return;
    if (rate !== this.#rate || channels.length !== this.#channels) {
      this.#rate = rate;
      this.#channels = channels.length;
      line.send({ type: 'format', rate, channels: channels.length });
    }
    line.send({ type: 'samples', wallMs, channels });
    if (this.#hasSound) return;
    this.#hasSound = true;
    this.#tell();
  }

  #follow({ wallMs, heardAtMs, isSilent, starved }: SoundReport): void {
    const now = this.#options.clock.wallMs();
    if (starved > 0 && now > this.#jumpingUntil) this.#sync.ranDry();
    if (isSilent || this.#isClosed || now < this.#jumpingUntil) return;
    const move = this.#sync.correct(heardAtMs - wallMs);
    if (move.kind === 'jump') {
      this.#line?.send({ type: 'jump', ms: move.ms });
      this.#jumpingUntil = now + JUMP_SETTLES_MS + Math.max(0, -move.ms);
    }
    const ratio = move.kind === 'ratio' ? move.ratio : 1;
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#line?.send({ type: 'ratio', ratio });
  }

  #tell(): void {
    if (this.#isClosed || !this.#line) return;
    const { output, onState } = this.#options;
    if (output.isBlocked) onState({ kind: 'blocked' });
    else onState({ kind: this.#hasSound ? 'playing' : 'starting' });
  }
}
