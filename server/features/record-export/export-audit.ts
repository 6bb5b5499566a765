// Audit log entries of an export and its downloads for the owners of its recordings: channels, range, and the share used.
import { findNamedShare, type OwnedItem } from '../../database/account/audit-names.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import type { StoredExportItem } from '../../database/schema/schema.ts';
import { type AuditPart, partsByOwner } from '../../http/audit-trail.ts';

/** One line for each owner and share; a device that is gone has no owner left to tell. */
export async function exportAuditParts(
  database: Database,
  items: readonly StoredExportItem[],
  way: 'export' | 'download',
): Promise<AuditPart[]> {
  const parts: AuditPart[] = [];
  for (const [shareId, group] of Map.groupBy(items, (item) => item.shareId)) {
    const share = shareId === null ? undefined : await findNamedShare(database, shareId);
    const owned: OwnedItem[] = [];
    for (const { deviceSerial, channelNo, channelName } of group) {
      const facts = await findDeviceFacts(database, deviceSerial, channelNo);
      if (facts !== undefined)
        owned.push({ ownerId: facts.ownerId, item: { deviceSerial, channelNo, name: channelName } });
    }
    const startTime = Math.min(...group.map((item) => item.startTime));
    const endTime = Math.max(...group.map((item) => item.endTime));
    parts.push(...partsByOwner(owned, { way, footage: { startTime, endTime }, ...(share && { share }) }));
  }
  return parts;
}

const KNOWN_MAX = 10_000;

/** A page asks for a ticket whenever it shows the export: owners are told of the first of each session. */
export class FirstDownloads {
  readonly #known = new Set<string>();

  isFirst(sessionId: string, taskId: string): boolean {
    const download = `${sessionId} ${taskId}`;
    if (this.#known.has(download)) return false;
    this.#known.add(download);
    const [oldest] = this.#known;
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }
}
