// Counters of a source; every dropped frame or packet has its own name.

export interface SourceCounters {
  /** Attempted and successful connections. */
  attempts: number;
  connections: number;
  bytes: number;
  packets: number;
  videoUnits: number;
  keyUnits: number;
  audioUnits: number;
  /** By the device's sequence numbers. */
  lostPackets: number;
  latePackets: number;
  invalidPackets: number;
  /** Incomplete frames, not delivered. */
  damagedUnits: number;
  /** Complete frames dropped until the next keyframe. */
  unitsAwaitingKey: number;
  /** Leading frames of an open GOP. */
  leadingUnits: number;
  /** Frames before any parameter set. */
  unitsWithoutFormat: number;
  /** Repeated frames. */
  repeatedUnits: number;
  /** Audio before the first frame, or out of order. */
  audioLeftOut: number;
  parameterSetsRefused: number;
  timestampJumps: number;
  formatChanges: number;
}

export function createSourceCounters(): SourceCounters {
  return {
    attempts: 0,
    connections: 0,
    bytes: 0,
    packets: 0,
    videoUnits: 0,
    keyUnits: 0,
    audioUnits: 0,
    lostPackets: 0,
    latePackets: 0,
    invalidPackets: 0,
    damagedUnits: 0,
    unitsAwaitingKey: 0,
    leadingUnits: 0,
    unitsWithoutFormat: 0,
    repeatedUnits: 0,
    audioLeftOut: 0,
    parameterSetsRefused: 0,
    timestampJumps: 0,
    formatChanges: 0,
  };
}
