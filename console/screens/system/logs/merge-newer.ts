// Puts lines that were written since into a page, newest first and each once.
import type { LogLine } from '@vedette/contract/calls/system-log.ts';

/** The same list where none is new, so that nothing is drawn again. */
export function mergeNewer(held: LogLine[], newer: readonly LogLine[]): LogLine[] {
  const known = new Set(held.map(({ lineId }) => lineId));
  const fresh = newer.filter(({ lineId }) => !known.has(lineId));
  return fresh.length === 0 ? held : [...fresh, ...held].sort((one, other) => other.time - one.time);
}
