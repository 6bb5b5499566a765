// Counters of a source; every dropped frame or packet has its own name.

export interface SourceCounters {
  /** Connections tried and made. */
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
  /** Pictures not delivered because part of them was missing. */
  damagedUnits: number;
  /** Whole pictures left out until the next keyframe came. */
  unitsAwaitingKey: number;
  /** Whole pictures of an open GOP that are shown ahead of its keyframe, and cannot be decoded from there. */
  leadingUnits: number;
  /** Pictures before any parameter set. */
  unitsWithoutFormat: number;
  /** Pictures that were the one before again. */
  repeatedUnits: number;
  /** Sound before the first picture, or before its place in time. */
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
