// A fake audio output that keeps what it is given.
import type { SoundLine, SoundOrder, SoundOutput, SoundReport } from './sound-output.ts';

export class FakeSoundOutput implements SoundOutput {
  isAvailable = true;
  isBlocked = false;
  readonly orders: SoundOrder[] = [];
  volume: number | null = null;
  openLines = 0;
  report: (report: SoundReport) => void = () => undefined;
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

  open(onReport: (report: SoundReport) => void): Promise<SoundLine> {
    this.report = onReport;
    this.openLines += 1;
    return Promise.resolve({
      send: (order) => this.orders.push(order),
      setVolume: (volume) => {
        this.volume = volume;
      },
      close: () => {
        this.openLines -= 1;
      },
    });
  }
}
