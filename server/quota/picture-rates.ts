// How many pictures the programs of one account, or one device, may store: they fill the database a thousand times as fast as events.
import { EVENT_PICTURE, SIGHTING_PICTURE } from '@vedette/contract/limits.ts';
import { TokenBucket } from '../outbound/token-bucket.ts';

export interface PictureRate {
  readonly perMinute: number;
  readonly atOnce: number;
}

export class PictureRates {
  readonly #rate: { readonly perS: number; readonly burstS: number };
  readonly #bySource = new Map<string, TokenBucket>();

  constructor({ perMinute, atOnce }: PictureRate = EVENT_PICTURE) {
    this.#rate = { perS: perMinute / 60, burstS: (atOnce * 60) / perMinute };
  }

  /** Takes one picture of the account or device with this id, or answers false. */
  spend(sourceId: string, nowMs: number): boolean {
    let rate = this.#bySource.get(sourceId);
    if (rate === undefined) {
      rate = new TokenBucket(this.#rate, nowMs);
      this.#bySource.set(sourceId, rate);
    }
    return rate.spend(1, nowMs);
  }
}

export type SitePictureRates = ReturnType<typeof sitePictureRates>;

/** Sightings have a rate of their own, so that alarms keep their pictures. */
export function sitePictureRates() {
  return { deviceEvent: new PictureRates(), sighting: new PictureRates(SIGHTING_PICTURE) };
}
