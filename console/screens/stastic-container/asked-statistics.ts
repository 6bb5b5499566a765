// Section and range of the screen in its address, so that they can be linked, reloaded and gone back to.
import { STATISTIC_RANGES } from '@vedette/contract/calls/statistic.ts';
import { type AskedStatistics, STATISTIC_SECTIONS } from './statistic.query.ts';

/** The overview of a week where the address says nothing that is known. */
export function readAsked(address: URLSearchParams): AskedStatistics {
  const [section, range] = [address.get('section'), address.get('range')];
  return {
    section: STATISTIC_SECTIONS.find((one) => one === section) ?? 'overview',
    range: STATISTIC_RANGES.find((one) => one === range) ?? 'week',
    startTime: readTime(address.get('from')),
    endTime: readTime(address.get('to')),
  };
}

export function writeAsked({ section, range, startTime, endTime }: AskedStatistics): string {
  const address = new URLSearchParams({ section, range });
  if (range === 'custom' && startTime !== null) address.set('from', String(startTime));
  if (range === 'custom' && endTime !== null) address.set('to', String(endTime));
  return `?${address}`;
}

function readTime(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
