// Divides an export by the sites where its recordings lie: each site writes a file of its own.
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import { staysOfDevice } from '../../database/device/device-stay.queries.ts';
import type { StoredExportItem } from '../../database/schema/schema.ts';
import { recordedAtSites, type RecordingSitesDeps } from '../record/recording-sites.facts.ts';

export interface PlacedItem {
  readonly siteId: string;
  readonly item: StoredExportItem;
}

/** Throws 2317 where a site that holds a part is away: a file would lack it without a word. */
export async function placedItems(
  deps: RecordingSitesDeps,
  device: AuthorizedDevice,
  item: StoredExportItem,
): Promise<PlacedItem[]> {
  if ((await staysOfDevice(deps.database, device.deviceId)).length === 0) return [{ siteId: device.siteId, item }];
  const { spans, gaps } = await recordedAtSites(deps, device, item);
  if (gaps.some(({ reason }) => reason === 'siteAway'))
    throw new CallError('devResponseTimeOut', { reason: 'siteAway' });
  const placed: PlacedItem[] = [];
  for (const [index, span] of spans.entries()) {
    if (span.siteId === spans[index - 1]?.siteId) continue;
    const isFirst = placed.length === 0;
    const next = spans.find((later) => later.startTime > span.startTime && later.siteId !== span.siteId);
    const range = {
      startTime: isFirst ? item.startTime : span.startTime,
      endTime: Math.min(next?.startTime ?? item.endTime, item.endTime),
    };
    placed.push({ siteId: span.siteId, item: { ...item, ...range } });
  }
  return placed.length === 0 ? [{ siteId: device.siteId, item }] : placed;
}

/** In the order in which the sites come first. */
export function itemsBySite(placed: readonly PlacedItem[]): ReadonlyMap<string, readonly StoredExportItem[]> {
  const bySite = Map.groupBy(placed, ({ siteId }) => siteId);
  return new Map([...bySite].map(([siteId, list]) => [siteId, list.map(({ item }) => item)]));
}
