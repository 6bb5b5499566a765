// A fake audio output that keeps what it is given.
import type { AudioSink, AudioSinkMessage, AudioOutput, AudioSinkReport } from './audio-output.ts';

export class FakeAudioOutput implements AudioOutput {
  isAvailable = true;
  isBlocked = false;
  readonly orders: AudioSinkMessage[] = [];
  volume: number | null = null;
  openSinks = 0;
  report: (report: AudioSinkReport) => void = () => undefined;
  readonly #listeners = new Set<() => void>();

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As a click of the user does it. */
  unblock(): void {
    this.isBlocked = false;
    for (const listener of this.#listeners) listener();
  }

  open(onReport: (report: AudioSinkReport) => void): Promise<AudioSink> {
    this.report = onReport;
    this.openSinks += 1;
    return Promise.resolve({
      send: (order) => this.orders.push(order),
      setVolume: (volume) => {
        this.volume = volume;
      },
      close: () => {
        this.openSinks -= 1;
      },
    });
  }
}
