// How many pictures the programs of one account, or one device, may store: they fill the database a thousand times as fast as events.
import { EVENT_PICTURE } from '@vedette/contract/limits.ts';
import { TokenBucket } from '../outbound/token-bucket.ts';

const PER_S = EVENT_PICTURE.perMinute / 60;
const RATE = { perS: PER_S, burstS: EVENT_PICTURE.atOnce / PER_S };

export class PictureRates {
  readonly #bySource = new Map<string, TokenBucket>();

  /** Takes one picture of the account or device with this id, or answers false. */
  spend(sourceId: string, nowMs: number): boolean {
    let rate = this.#bySource.get(sourceId);
    if (rate === undefined) {
      rate = new TokenBucket(RATE, nowMs);
      this.#bySource.set(sourceId, rate);
    }
    return rate.spend(1, nowMs);
  }
}
