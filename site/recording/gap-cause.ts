// Derives why a channel stores nothing at this moment, from plan, disk, stream, device and this process.
import type { GapReason } from '@vedette/contract/enumerations.ts';

export interface RecordingFacts {
  readonly isWanted: boolean;
  readonly isDiskWritable: boolean;
  /** recordings were stored, or became wanted, only just now. */
  readonly isFresh: boolean;
  /** This process stood still just before: nothing that is missing since then is a word about camera or disk. */
  readonly wasBusy: boolean;
  /** Something that arrived has been waiting to be stored for long. */
  readonly isUnstored: boolean;
  /** Pictures arrive, and none with which a recording can begin. */
  readonly isAwaitingKeyframe: boolean;
  readonly isArriving: boolean;
  readonly isDeviceOffline: boolean;
}

/** Null while all is well. */
export function gapCause(facts: RecordingFacts): GapReason | null {
  if (!facts.isWanted) return 'planOff';
  if (!facts.isDiskWritable) return 'disk';
  if (facts.isFresh) return null;
  if (facts.wasBusy) return 'siteBusy';
  if (facts.isUnstored) return 'disk';
  if (facts.isAwaitingKeyframe) return 'awaitingKeyframe';
  // On its way to the disk, and not waiting for long yet.
  if (facts.isArriving) return null;
  return facts.isDeviceOffline ? 'cameraOffline' : 'streamLost';
}
