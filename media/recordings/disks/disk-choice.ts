// Chooses the disk of a new file: by the room that each has, and the same for the files of one track within an hour.
import { createHash } from 'node:crypto';
import { dayOf, type TrackKey } from '../recording-path.ts';

export interface DiskOffer {
  readonly storageId: string;
  /** What can be written before something is removed. */
  readonly roomBytes: number;
  /** What all recordings on it may take. */
  readonly capacityBytes: number;
}

const HOUR_MS = 3_600_000;
/**
 * Weight of a byte of capacity against a byte of room. Where all disks are full, room is what retention has just freed
 * and says nothing: then each gets its share of the whole, so that all reach back equally far.
 */
const CAPACITY_SHARE = 1 / 64;

/**
 * Weighted rendezvous hashing: each disk draws a number for the track and hour, and the least wins. Streams spread over
 * all disks at any time, and none moves for another's sake.
 */
export function chooseDisk<Offer extends DiskOffer>(
  offers: readonly Offer[],
  { channelId, quality }: TrackKey,
  wallMs: number,
): Offer | null {
  const turn = `${channelId}/${quality}/${dayOf(wallMs)}/${Math.floor(wallMs / HOUR_MS)}`;
  let chosen: Offer | null = null;
  let least = Infinity;
  for (const offer of offers) {
    const weight = Math.max(1, offer.roomBytes + offer.capacityBytes * CAPACITY_SHARE);
    const drawn = -Math.log(fractionOf(`${offer.storageId} ${turn}`)) / weight;
    if (chosen !== null && drawn >= least) continue;
    chosen = offer;
    least = drawn;
  }
  return chosen;
}

/** Above 0 and below 1, evenly spread. */
function fractionOf(text: string): number {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  return (bits + 0.5) / 2 ** 48;
}
