// Export service: passes exports to sites and tracks them; ends those whose right ended, and reconciles with a reconnected site.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  dropExpiredExports,
  dropExports,
  exportsAt,
  exportsConcerning,
  exportsEndingBy,
  insertExport,
  setExportUntil,
  storeExportReport,
} from '../../database/media/export.queries.ts';
import type { RevocationRow } from '../../database/access/revocation.queries.ts';
import type { ExportTaskRow, StoredExportItem } from '../../database/schema/schema.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';
import { exportRight } from './export-rights.ts';

export interface ExportServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: SitesPort;
  /** Of the product, for the manifest. */
  readonly version: string;
  readonly commit: string;
}

export interface ExportRequest {
  readonly items: readonly StoredExportItem[];
  /** Where their recordings lie. */
  readonly siteId: string;
  readonly name: string;
  /** When the first of its rights ends. */
  readonly until: number | null;
}

/** Rights that end by time are looked for this often. */
const ROUND_MS = 500;
/** Site and table are compared this often. */
const RECONCILE_EVERY_ROUNDS = 120;
/** What never finishes is forgotten after this; what does, when the site removes it. */
const FORGOTTEN_MS = 48 * 3_600_000;

export class ExportService {
  readonly #options: ExportServiceOptions;
  #cancelRound: (() => void) | null = null;
  #rounds = 0;
  #isClosed = false;
  /** Remote sites that are being compared: one that is slow to answer holds up no other. */
  readonly #compared = new Set<string>();

  constructor(options: ExportServiceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancelRound = this.#options.clock.after(ROUND_MS, () => {
      this.#rounds += 1;
      this.#round()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'exports could not be checked'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound?.();
  }

  /** Throws 1011 where too many wait, else what the site says of it. */
  async add(accountId: string, wanted: ExportRequest): Promise<ExportTaskRow> {
    const { database, clock } = this.#options;
    const createdAt = clock.wallMs();
    const expiresAt = createdAt + FORGOTTEN_MS;
    const use = { accountId, now: createdAt, take: { exports: 1 } };
    const row = await withinQuota(database, use, (transaction) =>
      insertExport(transaction, { ...wanted, taskId: newId(), accountId, createdAt, expiresAt }),
    );
    try {
      await this.#options.site.at(wanted.siteId).call('exportStart', await this.#orderOf(row));
    } catch (error) {
      await dropExports(database, [row.task_id]);
      throw error;
    }
    return row;
  }

  /** What its site says of each; where it can't say, what it said last stands. Ends that it reports are kept. */
  async reports(rows: readonly ExportTaskRow[]): Promise<ReadonlyMap<string, SiteExport>> {
    const open = rows.filter(({ state }) => state === 'queued' || state === 'running');
    const siteIds = new Map<ExportTaskRow, string>();
    for (const row of open) siteIds.set(row, (await this.#siteOf(row)) ?? LOCAL_SITE);
    const bySite = Map.groupBy(open, (row) => siteIds.get(row) ?? LOCAL_SITE);
    const asked = [...bySite].map(async ([siteId, list]) => await this.#askReports(siteId, list));
    const exports = (await Promise.all(asked)).flat();
    for (const report of exports) await this.#keepReport(open, report);
    return new Map(exports.map((report) => [report.taskId, report]));
  }

  /** Ends an export and removes its file; the row stays with the code, or goes where there is none. */
  async end(row: ExportTaskRow, code: number | null): Promise<void> {
    const { database, site } = this.#options;
    const siteId = await this.#siteOf(row);
    // The row first: a site that is away learns of it when it comes back.
    if (code === null) await dropExports(database, [row.task_id]);
    else await storeExportReport(database, row.task_id, { ...row, state: 'failed', code, report: null });
    const order = { taskIds: [row.task_id], code: code ?? ERROR_CODES.notFound };
    for (const one of site.online()) {
      // Of a device that is gone nobody knows where it stood.
      if (one.siteId === LOCAL_SITE || (siteId !== null && one.siteId !== siteId)) continue;
      one.site.call('exportEnd', order).catch((error: unknown) => this.#unheard(one.siteId, error));
    }
    if (site.isOnline() && (siteId ?? LOCAL_SITE) === LOCAL_SITE) await site.at(LOCAL_SITE).call('exportEnd', order);
  }

  async applyRevocations(rows: readonly RevocationRow[]): Promise<void> {
    const accountIds = [...new Set(rows.flatMap(({ accountId }) => accountId ?? []))];
    const deviceSerials = [...new Set(rows.flatMap(({ deviceSerial }) => deviceSerial ?? []))];
    if (accountIds.length === 0 && deviceSerials.length === 0) return;
    await this.#check(await exportsConcerning(this.#options.database, { accountIds, deviceSerials }));
  }

  /** Throws the code that ends it where a right is gone; ends it then. */
  async refuseEnded(row: ExportTaskRow): Promise<void> {
    const code = await this.#checkOne(row);
    if (code !== null) throw new CallError(code === ERROR_CODES.shareEnded ? 'shareEnded' : 'devNotExist');
  }

  /** Once a site is connected; a storage that is away is asked again at the next round. */
  siteConnected(siteId: string): void {
    this.#compareApart(siteId);
  }

  #compareApart(siteId: string): void {
    if (this.#compared.has(siteId)) return;
    this.#compared.add(siteId);
    this.#reconcile(siteId, this.#options.site.at(siteId))
      .catch((error: unknown) => this.#unheard(siteId, error))
      .finally(() => this.#compared.delete(siteId));
  }

  #unheard(siteId: string, error: unknown): void {
    const fields = error instanceof CallError ? { code: error.code } : { err: error };
    this.#options.log.warn({ siteId, ...fields }, 'a site could not be told of exports, or asked for them');
  }

  /** The site goes on with what it was asked for, and lets go of what nobody asks for any more. What it says of exports of other sites is not heard. */
  async #reconcile(siteId: string, site: SitePort): Promise<void> {
    const { database, clock } = this.#options;
    const startedAt = clock.wallMs();
    await dropExpiredExports(database, startedAt);
    const { exports } = await site.call('exportStatus', { taskIds: null });
    const rows = await exportsAt(database, siteId);
    const wanted = new Set(rows.filter(({ state }) => state !== 'failed').map(({ task_id }) => task_id));
    const left = exports.filter(({ taskId }) => !wanted.has(taskId)).map(({ taskId }) => taskId);
    if (left.length > 0) await site.call('exportEnd', { taskIds: left, code: ERROR_CODES.notFound });
    for (const report of exports) await this.#keepReport(rows, report);
    const held = new Set(exports.map(({ taskId }) => taskId));
    const missing = rows.filter((row) => row.state !== 'failed' && !held.has(row.task_id));
    for (const row of missing) if (row.created_at < startedAt - ROUND_MS) await this.#restore(row);
    await this.#check(rows);
  }

  /** Null where the device is gone. */
  async #siteOf({ items: [first], site_id: siteId }: ExportTaskRow): Promise<string | null> {
    if (siteId !== null) return siteId;
    if (first === undefined) return null;
    return (await findDeviceFacts(this.#options.database, first.deviceSerial, undefined))?.siteId ?? null;
  }

  /** The site lost it: one that waits is ordered again, a finished one is gone. */
  async #restore(row: ExportTaskRow): Promise<void> {
    const { database, site } = this.#options;
    const fail = (code: number) =>
      storeExportReport(database, row.task_id, { ...row, state: 'failed', code, report: null });
    if (row.state === 'finished') return await fail(ERROR_CODES.notFound);
    try {
      await site.at((await this.#siteOf(row)) ?? LOCAL_SITE).call('exportStart', await this.#orderOf(row));
    } catch (error) {
      if (!(error instanceof CallError) || error.code === ERROR_CODES.serviceBusy) throw error;
      await fail(error.code);
    }
  }

  async #round(): Promise<void> {
    const { database, clock, site } = this.#options;
    if (this.#rounds % RECONCILE_EVERY_ROUNDS === 0) for (const { siteId } of site.here()) this.#compareApart(siteId);
    else await this.#check(await exportsEndingBy(database, clock.wallMs()));
  }

  async #check(rows: readonly ExportTaskRow[]): Promise<void> {
    for (const row of rows) if (row.state !== 'failed') await this.#checkOne(row);
  }

  async #checkOne(row: ExportTaskRow): Promise<number | null> {
    const { endCode, until } = await exportRight(this.#options, row);
    if (endCode !== null) await this.end(row, endCode);
    else if (until !== row.until) await setExportUntil(this.#options.database, row.task_id, until);
    return endCode;
  }

  async #orderOf(row: ExportTaskRow): Promise<ExportOrder> {
    const { database, version, commit } = this.#options;
    const account = await findAccount(database, row.account_id);
    const items = row.items.map(({ shareId: _shareId, ...item }) => item);
    const requestedBy = account?.user_name ?? '';
    const { task_id: taskId, created_at: createdAt, name } = row;
    return { taskId, createdAt, requestedBy, name, version, commit, items };
  }

  /** Nothing where the site cannot say, and of nothing that it was not asked. */
  async #askReports(siteId: string, rows: readonly ExportTaskRow[]): Promise<readonly SiteExport[]> {
    const site = this.#options.site.at(siteId);
    if (!site.isOnline()) return [];
    const taskIds = rows.map(({ task_id }) => task_id);
    try {
      const { exports } = await site.call('exportStatus', { taskIds });
      return exports.filter(({ taskId }) => taskIds.includes(taskId));
    } catch (error) {
      if (error instanceof CallError) return [];
      throw error;
    }
  }

  async #keepReport(rows: readonly ExportTaskRow[], report: SiteExport): Promise<void> {
    const row = rows.find(({ task_id }) => task_id === report.taskId);
    if (!row || row.state === 'failed' || row.state === report.state) return;
    const { state, code } = report;
    // A site that names a year to come does not make the row stay till then.
    const latest = this.#options.clock.wallMs() + FORGOTTEN_MS;
    const expires_at = Math.min(report.expiresAt ?? row.expires_at, latest);
    // Progress is asked of the site; only the end is worth a row.
    const kept = state === 'finished' || state === 'failed' ? report : null;
    await storeExportReport(this.#options.database, row.task_id, { state, code, expires_at, report: kept });
  }
}
