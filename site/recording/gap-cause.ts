// Derives why a channel stores nothing at this moment, from plan, disk, stream, device and this process.
import type { GapReason } from '@vedette/contract/enumerations.ts';

export interface RecordingFacts {
  readonly isWanted: boolean;
  readonly isDiskWritable: boolean;
  /** Recordings were stored, or wanted, only just now. */
  readonly isFresh: boolean;
  /** This process was just stalled: what is missing since then is not the fault of camera or disk. */
  readonly wasBusy: boolean;
  /** Something that arrived has been waiting to be stored for long. */
  readonly isUnstored: boolean;
  /** Pictures arrive, and none with which a recording can begin. */
  readonly isAwaitingKeyframe: boolean;
  readonly isArriving: boolean;
  readonly isDeviceOffline: boolean;
}

/** Null while recording works. */
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
