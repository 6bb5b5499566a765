// Playback of one channel by the tree's playback group, with the right to watch asked for again while it lasts.
import { playerClock } from '@vedette/player/core/player-clock.ts';
import { lastFrameBlob, paintLastFrame } from '@vedette/player/core/last-frame.ts';
import { openPlayback } from '@vedette/player/playback/open-playback.ts';
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { playbackEngine } from '@vedette/player/playback/playback-support.ts';
import { channelRecordings } from './channel-recordings.ts';
import { ofRecorded } from './player-state.ts';
import { refusalOf } from './server-calls.ts';
import type { View, ViewOptions } from './view.ts';

const SEAT = 'player';
const TIME_EVERY_MS = 250;
/** No socket tells a page of an app what changes: a right that has ended is noticed within two seconds. */
const CHECK_EVERY_MS = 1500;

export class RecordedView implements View {
  readonly #options: ViewOptions;
  readonly #group: PlaybackGroup;
  readonly #timers: readonly number[];
  #isChecking = false;

  /** Plays from `at`, ms since 1970 UTC. */
  constructor(options: ViewOptions, at: number) {
    this.#options = options;
    const { recording, onState, onTime } = options;
    const group = openPlayback(playbackEngine(), { openThumbnails: null });
    this.#group = group;
    group.onChange(() => onState(ofRecorded(group.view(SEAT).state)));
    group.add(SEAT, recording, channelRecordings({ ...options, now: playerClock.wallMs }));
    group.seek(at);
    group.play();
    this.#timers = [
      window.setInterval(() => group.position !== null && onTime(group.position), TIME_EVERY_MS),
      window.setInterval(() => void this.#check(), CHECK_EVERY_MS),
    ];
  }

  get isPlaying(): boolean {
    return this.#group.clock.isPlaying;
  }

  get position(): number {
    return this.#group.clock.position;
  }

  get rate(): number {
    return this.#group.clock.rate;
  }

  set rate(rate: number) {
    this.#group.setRate(rate);
  }

  play(): void {
    this.#group.play();
  }

  pause(): void {
    this.#group.pause();
  }

  seek(at: number): void {
    this.#group.seek(at);
  }

  setSound(isOn: boolean): void {
    this.#group.listen(isOn ? SEAT : null);
  }

  async snapshot(): Promise<Blob | null> {
    const shown = this.#options.recording.querySelector('canvas:not([data-left]), video');
    if (shown instanceof HTMLCanvasElement) return shown.width > 1 ? await lastFrameBlob(shown) : null;
    const copy = document.createElement('canvas');
    return shown instanceof HTMLVideoElement && paintLastFrame(shown, copy) ? await lastFrameBlob(copy) : null;
  }

  retry(): void {
    this.#group.seek(this.#group.clock.position);
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#group.close();
    this.#options.recording.replaceChildren();
  }

  /** The cheapest call that an ended token fails; what has failed so the group then asks about itself. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#options.calls.call('token/check', {});
    } catch (failure) {
      // A server that is away ends no right.
      if (refusalOf(failure) !== null) await this.#group.verify().catch(() => undefined);
    } finally {
      this.#isChecking = false;
    }
  }
}
