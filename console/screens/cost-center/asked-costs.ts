// Range and grouping of the screen in its address, so that they can be linked, reloaded and gone back to.
import { COST_GROUPS, COST_RANGES, type CostGroup, type CostRange } from '@vedette/contract/calls/cost.ts';

export interface AskedCosts {
  readonly range: CostRange;
  readonly groupBy: CostGroup;
  /** Of a custom range; null while it is not chosen. */
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** Meters of this month where the address says nothing that is known. */
export function readAsked(address: URLSearchParams): AskedCosts {
  const [range, groupBy] = [address.get('range'), address.get('group')];
  return {
    range: COST_RANGES.find((one) => one === range) ?? 'month',
    groupBy: COST_GROUPS.find((one) => one === groupBy) ?? 'meter',
    startTime: readTime(address.get('from')),
    endTime: readTime(address.get('to')),
  };
}

export function writeAsked({ range, groupBy, startTime, endTime }: AskedCosts): string {
  const address = new URLSearchParams({ range, group: groupBy });
  if (range === 'custom' && startTime !== null) address.set('from', String(startTime));
  if (range === 'custom' && endTime !== null) address.set('to', String(endTime));
  return `?${address}`;
}

/** Whether there is enough to ask for. */
export function isWhole({ range, startTime, endTime }: AskedCosts): boolean {
  return range !== 'custom' || (startTime !== null && endTime !== null && startTime < endTime);
}

function readTime(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
