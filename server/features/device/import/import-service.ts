// Import service: queues and runs CSV imports, and resumes interrupted ones; passwords stay encrypted until the last row is done.
import type { DeviceImport, ImportRow } from '@vedette/contract/calls/onboarding.ts';
import { CallError } from '../../../core/call-error.ts';
import type { SecretBox } from '../../../core/secret-box.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import {
  dropExpiredImports,
  findImport,
  insertImport,
  runningImports,
  storeImport,
} from '../../../database/device/device-import.queries.ts';
import { withoutRequestDeadline } from '../../../database/request-deadline.ts';
import type { DeviceImportRow } from '../../../database/schema/schema.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { RealtimeHub } from '../../../bus/realtime-hub.ts';
import { ImportRun, type ImportOrder, type ImportRunDeps } from './import-run.ts';
import type { Plan, PlannedRow } from './planned-row.ts';

export interface ImportServiceOptions extends ImportRunDeps {
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly hub: RealtimeHub;
}

/** How long results can be read. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Interval of storing progress and notifying pages. */
const STORE_EVERY_MS = 1000;

export class ImportService {
  readonly #options: ImportServiceOptions;
  readonly #runs = new Map<string, ImportRun>();

  constructor(options: ImportServiceOptions) {
    this.#options = options;
  }

  /** Resumes stored imports once the site is connected. */
  resume(): void {
    this.#resume().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'imports could not be gone on with');
    });
  }

  /** Finishes running rows; others wait for the next start. */
  close(): void {
    for (const run of this.#runs.values()) run.cancel();
    this.#runs.clear();
  }

  /** Throws 1011 if an import of the account is running. */
  async begin(
    order: Pick<ImportOrder, 'accountId' | 'mode' | 'isProbed'>,
    { planned, results }: Plan,
  ): Promise<DeviceImport> {
    const { database, clock, box } = this.#options;
    const { accountId, mode, isProbed } = order;
    if ([...this.#runs.values()].some((run) => run.order.accountId === accountId)) throw new CallError('quotaExceeded');
    const now = clock.wallMs();
    const task = newId();
    const waiting = results.map((row) => (row.state === 'ready' ? { ...row, state: 'waiting' as const } : row));
    const row = {
      task_id: task,
      account_id: accountId,
      mode,
      is_probed: isProbed,
      state: 'running',
      sealed: box.seal(JSON.stringify(planned), task),
      results: waiting,
      created_at: now,
      expires_at: now + KEPT_MS,
    };
    const run = new ImportRun(this.#options, { ...order, task, planned }, waiting);
    this.#runs.set(task, run);
    await dropExpiredImports(database, now);
    await insertImport(database, row);
    this.#start(run);
    return toImport(row);
  }

  /** Null where the account has none; throws 1007 for a task that is not the account's. */
  async status(accountId: string, task: string | undefined): Promise<DeviceImport | null> {
    const row = await findImport(this.#options.database, accountId, task);
    if (row === undefined && task !== undefined) throw new CallError('notFound');
    if (row === undefined) return null;
    return toImport({ ...row, results: this.#runs.get(row.task_id)?.results ?? row.results });
  }

  async cancel(accountId: string, task: string): Promise<DeviceImport> {
    const row = await findImport(this.#options.database, accountId, task);
    if (row === undefined) throw new CallError('notFound');
    if (row.state !== 'running') return toImport(row);
    const run = this.#runs.get(task);
    run?.cancel();
    const results = endRows(run?.results ?? row.results);
    await storeImport(this.#options.database, task, { state: 'cancelled', results });
    return toImport({ ...row, state: 'cancelled', results });
  }

  async #resume(): Promise<void> {
    const { database, box } = this.#options;
    for (const row of await runningImports(database)) {
      if (this.#runs.has(row.task_id) || row.sealed === null) continue;
      const planned = JSON.parse(box.open(row.sealed, row.task_id)) as PlannedRow[];
      const { task_id: task, account_id: accountId, is_probed: isProbed } = row;
      const mode = row.mode === 'check' ? 'check' : 'apply';
      const run = new ImportRun(this.#options, { task, accountId, mode, isProbed, planned }, row.results);
      this.#runs.set(task, run);
      this.#start(run);
    }
  }

  #start(run: ImportRun): void {
    withoutRequestDeadline(() => this.#track(run))
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'an import could not be ended'))
      .finally(() => this.#runs.delete(run.order.task));
  }

  async #track(run: ImportRun): Promise<void> {
    const { database, clock } = this.#options;
    const { task } = run.order;
    let keptAt = clock.wallMs();
    let writing: Promise<void> = Promise.resolve();
    await run.run(() => {
      if (clock.wallMs() - keptAt < STORE_EVERY_MS) return;
      keptAt = clock.wallMs();
      writing = writing.then(() => storeImport(database, task, { state: 'running', results: run.results }));
      this.#pushProgress(run);
    });
    await writing;
    const isWhole = run.results.every(({ state }) => state !== 'waiting');
    // Ended by shutdown: stays as it is and is resumed.
    if (run.isCancelled && !this.#runs.has(task)) return;
    const results = isWhole ? run.results : endRows(run.results);
    await storeImport(database, task, { state: isWhole ? 'finished' : 'cancelled', results });
    this.#pushProgress(run);
  }

  /** Makes the account's pages fetch their lists again. */
  #pushProgress({ order, results }: ImportRun): void {
    if (order.mode !== 'apply' || !results.some(({ state }) => state === 'added')) return;
    const object = { kind: 'organization', ownerId: order.accountId, organizationPath: [] } as const;
    this.#options.hub.pushAbout({ kind: 'resourcesChanged' }, object);
  }
}

function endRows(rows: readonly ImportRow[]): ImportRow[] {
  return rows.map((row) => (row.state === 'waiting' ? { ...row, state: 'cancelled' } : row));
}

function toImport(row: Omit<DeviceImportRow, 'sealed' | 'expires_at' | 'account_id' | 'is_probed'>): DeviceImport {
  return {
    task: row.task_id,
    mode: row.mode === 'check' ? 'check' : 'apply',
    state: row.state === 'running' ? 'running' : row.state === 'finished' ? 'finished' : 'cancelled',
    total: row.results.length,
    done: row.results.filter(({ state }) => state !== 'waiting').length,
    createdAt: row.created_at,
    rowList: row.results,
  };
}
