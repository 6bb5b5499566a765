// Takes exports in, hands them to the site, and follows them: rights that go end them, a site that comes back is told what it must know.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ExportOrder, SiteExport } from '@vedette/contract/site-export.ts';
import type { Logger } from 'pino';
import { CallError } from '../../call-error.ts';
import type { Clock } from '../../clock/clock.ts';
import { findAccount } from '../../database/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  allExports,
  dropExpiredExports,
  dropExports,
  exportsConcerning,
  exportsEndingBy,
  insertExport,
  setExportUntil,
  storeExportReport,
} from '../../database/export.queries.ts';
import type { RevocationRow } from '../../database/revocation.queries.ts';
import type { ExportTaskRow, StoredExportItem } from '../../database/schema.ts';
import { newId } from '../../randomness.ts';
import { withinQuota } from '../../quotas/take-within.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';
import { exportRight } from './export-rights.ts';

export interface ExportDeskOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: SitesPort;
  /** Of the product, for the manifest. */
  readonly version: string;
  readonly commit: string;
}

export interface WantedExport {
  readonly items: readonly StoredExportItem[];
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

export class ExportDesk {
  readonly #options: ExportDeskOptions;
  #cancelRound: (() => void) | null = null;
  #rounds = 0;
  #isClosed = false;

  constructor(options: ExportDeskOptions) {
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
  async add(accountId: string, wanted: WantedExport): Promise<ExportTaskRow> {
    const { database, clock } = this.#options;
    const createdAt = clock.now();
    const expiresAt = createdAt + FORGOTTEN_MS;
    const use = { accountId, now: createdAt, take: { exports: 1 } };
    const row = await withinQuota(database, use, (transaction) =>
      insertExport(transaction, { ...wanted, taskId: newId(), accountId, createdAt, expiresAt }),
    );
    try {
      await this.#options.site.call('exportStart', await this.#orderOf(row));
    } catch (error) {
      await dropExports(database, [row.task_id]);
      throw error;
    }
    return row;
  }

  /** What the site says of these; without a site what it said last stands. Ends that it reports are kept. */
  async reports(rows: readonly ExportTaskRow[]): Promise<ReadonlyMap<string, SiteExport>> {
    const { database, site } = this.#options;
    const open = rows.filter(({ state }) => state === 'queued' || state === 'running');
    if (open.length === 0 || !site.isOnline()) return new Map();
    const exports = await askReports(site, open);
    for (const report of exports) await keepReport(database, open, report);
    return new Map(exports.map((report) => [report.taskId, report]));
  }

  /** Ends an export and removes its file; the row stays with the code, or goes where there is none. */
  async end(row: ExportTaskRow, code: number | null): Promise<void> {
    const { database, site } = this.#options;
    // The row first: a site that is away learns of it when it comes back.
    if (code === null) await dropExports(database, [row.task_id]);
    else await storeExportReport(database, row.task_id, { ...row, state: 'failed', code, report: null });
    if (site.isOnline()) {
      await site.call('exportEnd', { taskIds: [row.task_id], code: code ?? ERROR_CODES.notFound });
    }
  }

  async takeRevocations(rows: readonly RevocationRow[]): Promise<void> {
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

  /** Once the site is connected; a storage that is away is asked again at the next round. */
  siteConnected(): void {
    this.#reconcile().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'exports could not be compared with the site');
    });
  }

  /** The site goes on with what it was asked for, and lets go of what nobody asks for any more. */
  async #reconcile(): Promise<void> {
    const { database, clock, site } = this.#options;
    const startedAt = clock.now();
    await dropExpiredExports(database, startedAt);
    const { exports } = await site.call('exportStatus', { taskIds: null });
    const rows = await allExports(database);
    const wanted = new Set(rows.filter(({ state }) => state !== 'failed').map(({ task_id }) => task_id));
    const left = exports.filter(({ taskId }) => !wanted.has(taskId)).map(({ taskId }) => taskId);
    if (left.length > 0) await site.call('exportEnd', { taskIds: left, code: ERROR_CODES.notFound });
    for (const report of exports) await keepReport(database, rows, report);
    const held = new Set(exports.map(({ taskId }) => taskId));
    const missing = rows.filter((row) => row.state !== 'failed' && !held.has(row.task_id));
    for (const row of missing) {
      if (row.created_at < startedAt - ROUND_MS && (await this.#isReached(row))) await this.#restore(row);
    }
    await this.#check(rows);
  }

  /** A far site that is away has lost nothing. */
  async #isReached({ items: [first] }: ExportTaskRow): Promise<boolean> {
    const { site } = this.#options;
    return first === undefined || (await site.of(first.deviceSerial)).isOnline();
  }

  /** The site lost it: one that waits is ordered again, a finished one is gone. */
  async #restore(row: ExportTaskRow): Promise<void> {
    const { database, site } = this.#options;
    const fail = (code: number) =>
      storeExportReport(database, row.task_id, { ...row, state: 'failed', code, report: null });
    if (row.state === 'finished') return await fail(ERROR_CODES.notFound);
    try {
      await site.call('exportStart', await this.#orderOf(row));
    } catch (error) {
      if (!(error instanceof CallError) || error.code === ERROR_CODES.serviceBusy) throw error;
      await fail(error.code);
    }
  }

  async #round(): Promise<void> {
    const { database, clock, site } = this.#options;
    if (!site.isOnline()) return;
    if (this.#rounds % RECONCILE_EVERY_ROUNDS === 0) await this.#reconcile();
    else await this.#check(await exportsEndingBy(database, clock.now()));
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
}

/** Nothing where the site cannot say: what it said last stands then. */
async function askReports(site: SitePort, rows: readonly ExportTaskRow[]): Promise<readonly SiteExport[]> {
  try {
    return (await site.call('exportStatus', { taskIds: rows.map(({ task_id }) => task_id) })).exports;
  } catch (error) {
    if (error instanceof CallError) return [];
    throw error;
  }
}

async function keepReport(database: Database, rows: readonly ExportTaskRow[], report: SiteExport): Promise<void> {
  const row = rows.find(({ task_id }) => task_id === report.taskId);
  if (!row || row.state === 'failed' || row.state === report.state) return;
  const { state, code, expiresAt } = report;
  const expires_at = expiresAt ?? row.expires_at;
  // Progress is asked of the site; only the end is worth a row.
  const kept = state === 'finished' || state === 'failed' ? report : null;
  await storeExportReport(database, row.task_id, { state, code, expires_at, report: kept });
}
