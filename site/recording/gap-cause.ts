// Derives why a channel stores nothing at this moment, from plan, disk, stream, device and this process.
import type { GapReason } from '@vedette/contract/enumerations.ts';

export interface RecordingFacts {
  readonly isWanted: boolean;
  readonly isDiskWritable: boolean;
  /** Footage was stored, or became wanted, only just now. */
  readonly isFresh: boolean;
  /** This process stood still just before: nothing that is missing since then is a word about camera or disk. */
  readonly wasBusy: boolean;
  readonly isArriving: boolean;
  readonly isDeviceOffline: boolean;
}

/** Null while all is well. */
export function gapCause(facts: RecordingFacts): GapReason | null {
  if (!facts.isWanted) return 'planOff';
  if (!facts.isDiskWritable) return 'disk';
  if (facts.isFresh) return null;
  if (facts.wasBusy) return 'siteBusy';
  // Pictures come and are not stored.
  if (facts.isArriving) return 'disk';
  return facts.isDeviceOffline ? 'cameraOffline' : 'streamLost';
}
