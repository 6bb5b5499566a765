// Handlers of exports: estimate, start, status with a ticket, cancel, list.
import { EXPORT_LIMITS } from '@vedette/contract/limits.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findRecordPlan } from '../../database/media/record-plan.queries.ts';
import { exportsOf, findExport } from '../../database/media/export.queries.ts';
import type { ExportTaskRow, StoredExportItem } from '../../database/schema/schema.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import type { PublicOrigin } from '../../http/public-origin.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { exportManifestUrl, exportUrl } from '../../ticket/media-urls.ts';
import { earliest, type TicketIssuer } from '../../ticket/ticket-issuer.ts';
import type { ExportService } from './export-service.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { exportAuditParts, FirstDownloads } from './export-audit.ts';
import { itemsBySite, type PlacedItem, placedItems } from './export-parts.ts';
import { exportView } from './export-view.ts';

export interface RecordExportDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
  readonly exportService: ExportService;
  /** Of this installation: for burnt-in times where neither the caller nor the device names one. */
  readonly timeZone: string;
}

type RecordExportPath =
  | 'record/export/estimate'
  | 'record/export/start'
  | 'record/export/status'
  | 'record/export/cancel'
  | 'record/export/list';

interface Range {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly startTime: number;
  readonly endTime: number;
}

export function recordExportHandlers(deps: RecordExportDeps): Handlers<RecordExportPath> {
  const { database, site, exportService } = deps;
  const firstDownloads = new FirstDownloads();
  return {
    'record/export/estimate': async ({ input, rights }) => {
      const { bySite } = await itemsOf(deps, await rights(), { ...input, zone: null });
      const found = await Promise.all(
        [...bySite].map(([siteId, items]) => site.at(siteId).call('exportEstimate', { items })),
      );
      return {
        bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
        recordedTime: found.reduce((sum, { recordedMs }) => sum + recordedMs, 0),
        availableBytes: Math.min(...found.map(({ availableBytes }) => availableBytes)),
      };
    },
    'record/export/start': async ({ input, rights, principal, audit }) => {
      if (input.timeZone !== undefined && !isTimeZone(input.timeZone)) throw fieldError({ timeZone: 'format' });
      const zone = input.burnIn ? { asked: input.timeZone, usual: deps.timeZone } : null;
      const { bySite, until } = await itemsOf(deps, await rights(), { ...input, zone });
      const [row, ...others] = await startAll(exportService, principal.userId, {
        bySite,
        name: input.name?.trim() ?? '',
        until,
      });
      const items = [row, ...others].flatMap((task) => task.items);
      audit.parts.push(...(await exportAuditParts(database, items, 'export')));
      return { ...exportView(row, null), otherTasks: others.map((task) => task.task_id) };
    },
    'record/export/status': async ({ input, principal, rights, origin, audit }) => {
      const row = await ownTask(database, principal.userId, input.task);
      audit.object = row.task_id;
      const report = (await exportService.reports([row])).get(row.task_id) ?? null;
      const view = exportView(row, report);
      if (view.state !== 'finished') return { ...view, ticket: '', url: '', manifestUrl: '' };
      await exportService.refuseEnded(row);
      const download = await downloadOf(deps, row, { principal, rights, origin });
      if (firstDownloads.isFirst(principal.sessionId, row.task_id))
        audit.parts.push(...(await exportAuditParts(database, row.items, 'download')));
      return { ...view, ...download };
    },
    'record/export/cancel': async ({ input, principal, audit }) => {
      const row = await ownTask(database, principal.userId, input.task);
      audit.object = row.task_id;
      await exportService.end(row, null);
      return {};
    },
    'record/export/list': async ({ input, principal }) => {
      const page = { offset: input.pageStart * input.pageSize, limit: input.pageSize };
      const { total, rows } = await exportsOf(database, principal.userId, page);
      const reports = await exportService.reports(rows);
      return { total, taskList: rows.map((row) => exportView(row, reports.get(row.task_id) ?? null)) };
    },
  };
}

/** Someone else's answers as a missing one. */
async function ownTask(database: Database, accountId: string, taskId: string): Promise<ExportTaskRow> {
  const row = await findExport(database, accountId, taskId);
  if (row === undefined) throw new CallError('notFound');
  return row;
}

interface Order {
  readonly items: readonly Range[];
  readonly quality: 0 | 1 | 2;
  /** Of the burnt-in time; null: nothing is burnt in. */
  readonly zone: { readonly asked: string | undefined; readonly usual: string } | null;
}

interface PlacedOrder {
  readonly bySite: ReadonlyMap<string, readonly StoredExportItem[]>;
  /** When the first of its rights ends. */
  readonly until: number | null;
}

/** One export for each site; where one of them refuses, none is left. */
async function startAll(
  exportService: ExportService,
  accountId: string,
  { bySite, name, until }: PlacedOrder & { readonly name: string },
): Promise<[ExportTaskRow, ...ExportTaskRow[]]> {
  const started: ExportTaskRow[] = [];
  try {
    for (const [siteId, items] of bySite) {
      const ownName = name === '' || started.length === 0 ? name : `${name} ${started.length + 1}`;
      started.push(await exportService.add(accountId, { items, siteId, name: ownName, until }));
    }
  } catch (error) {
    for (const row of started) await exportService.end(row, null);
    throw error;
  }
  const [first, ...others] = started;
  return [requireFound(first, 'notFound'), ...others];
}

async function itemsOf(deps: RecordExportDeps, rights: Rights, input: Order): Promise<PlacedOrder> {
  const { database } = deps;
  const placed: PlacedItem[] = [];
  let until: number | null = null;
  for (const [index, range] of input.items.entries()) {
    refuseBadRange(range, index);
    const device = await authorizeDevice(database, rights, 'Replay', range);
    const taken = await authorizeDevice(database, rights, 'Export', range);
    placed.push(...(await placedItems(deps, device, await itemOf(database, device, range, input))));
    until = earliest(until, earliest(device.decision.until, taken.decision.until));
  }
  return { bySite: itemsBySite(placed), until };
}

function refuseBadRange({ startTime, endTime }: Range, index: number): void {
  const field = `items.${index}.endTime`;
  if (endTime <= startTime) throw fieldError({ [field]: 'tooSmall' });
  if (endTime - startTime > EXPORT_LIMITS.rangeMs) throw fieldError({ [field]: 'tooBig' });
}

async function itemOf(
  database: Database,
  device: AuthorizedDevice,
  { channelNo, startTime, endTime }: Range,
  { quality, zone }: Order,
): Promise<StoredExportItem> {
  const channel = requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist');
  const plan = zone && (await findRecordPlan(database, device.deviceId, channelNo));
  const { because } = device.decision;
  return {
    deviceSerial: device.deviceSerial,
    deviceName: device.deviceName,
    channelNo,
    channelName: channel.channel_name,
    channelId: channel.channel_id,
    quality,
    startTime,
    endTime,
    shareId: because.kind === 'grant' ? because.shareId : null,
    ...(zone && { burnInZone: zone.asked ?? plan?.time_zone ?? zone.usual }),
  };
}

type Caller = Pick<SignedInContext, 'principal' | 'rights'> & { readonly origin: PublicOrigin };

/** The ticket names the first range only; the export service ends the export when the right to any range ends. */
async function downloadOf(
  { database, tickets }: RecordExportDeps,
  row: ExportTaskRow,
  { principal, rights, origin }: Caller,
): Promise<{ ticket: string; url: string; manifestUrl: string }> {
  const first = requireFound(row.items[0], 'notFound');
  const device = await authorizeDevice(database, await rights(), 'Export', first);
  const { ticket } = await tickets.issue({
    kind: 'export',
    action: 'Export',
    principal,
    device,
    channelNo: first.channelNo,
    quality: first.quality,
    range: null,
    probeId: null,
    exportId: row.task_id,
    ...(row.site_id !== null && { siteId: row.site_id }),
  });
  return { ticket, url: exportUrl(origin, ticket), manifestUrl: exportManifestUrl(origin, ticket) };
}
