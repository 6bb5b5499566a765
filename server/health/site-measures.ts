// The newest health of each site as it was polled, and the bit rate of its streams between two polls.
import type { SiteHealth } from '@vedette/contract/site/site.ts';

export interface SiteMeasure {
  readonly health: SiteHealth;
  /** Our clock at the middle of the question. */
  readonly at: number;
}

interface CountedBytes {
  readonly at: number;
  readonly bytes: number;
}

/** A poll that stayed away for longer says nothing about now. */
const VALID_MS = 30_000;
/** What a source has received, with its overhead. */
const BYTES = 'bytes';

export class SiteMeasures {
  readonly #newest = new Map<string, SiteMeasure>();
  readonly #counted = new Map<string, CountedBytes>();
  readonly #kbps = new Map<string, { readonly at: number; readonly kbps: number }>();

  note(siteId: string, measure: SiteMeasure): void {
    this.#newest.set(siteId, measure);
    for (const { deviceSerial, channelNo, quality, counters } of measure.health.streams) {
      const bytes = counters[BYTES];
      if (bytes === undefined) continue;
      const key = `${deviceSerial} ${channelNo} ${quality}`;
      const before = this.#counted.get(key);
      this.#counted.set(key, { at: measure.at, bytes });
      // A counter that begins anew belongs to another stream.
      if (before === undefined || bytes < before.bytes || measure.at <= before.at) continue;
      this.#kbps.set(key, { at: measure.at, kbps: ((bytes - before.bytes) * 8) / (measure.at - before.at) });
    }
    this.#forgetOld(measure.at);
  }

  /** Null without one that is new enough. */
  of(siteId: string, now: number): SiteMeasure | null {
    const measure = this.#newest.get(siteId);
    return measure !== undefined && now - measure.at <= VALID_MS ? measure : null;
  }

  /** Of all its streams that run; null where none does. */
  kbpsOf(deviceSerial: string, now: number): number | null {
    const rates = [...this.#kbps].filter(([key, { at }]) => key.startsWith(`${deviceSerial} `) && now - at <= VALID_MS);
    return rates.length === 0 ? null : Math.round(rates.reduce((sum, [, { kbps }]) => sum + kbps, 0));
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#counted) if (now - at > VALID_MS) this.#counted.delete(key);
    for (const [key, { at }] of this.#kbps) if (now - at > VALID_MS) this.#kbps.delete(key);
  }
}
