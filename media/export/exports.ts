// The exports of this site: one is written at a time, the others queue; finished ones are kept for a day and survive a restart.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ExportCalls, ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import type { Disk } from '../recordings/disk.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { StorageState } from '../recordings/storage-folder.ts';
import type { StartFfmpeg } from '../codec/ffmpeg-process.ts';
import { BurnIn } from './burn-in.ts';
import { ExportError } from './export-error.ts';
import { channelTitle } from './export-names.ts';
import type { ManifestSigner } from './export-manifest.ts';
import { KEYFRAME_SEARCH_MS, planExport } from './export-plan.ts';
import { ExportStore } from './export-store.ts';
import { ExportTask } from './export-task.ts';

/** What exports use of the current storage. */
export interface ExportStorage {
  readonly store: RecordingsStore;
  readonly folder: string;
  readonly state: StorageState;
  readonly limits: { readonly budgetBytes: number; readonly reserveBytes: number };
}

export interface ExportsOptions {
  readonly disk: Disk;
  readonly wallMs: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Replaced when the storage folder changes. */
  readonly storage: () => ExportStorage;
  readonly signer: ManifestSigner;
  /** Null without ffmpeg: nothing can be burnt in then. */
  readonly ffmpeg: StartFfmpeg | null;
  readonly onFault: (error: unknown) => void;
}

/** A file to serve, with the signal that ends it. */
export interface OpenExport {
  readonly dataPath: string;
  readonly manifestPath: string;
  readonly report: SiteExport;
  readonly ended: AbortSignal;
}

interface Held {
  readonly task: ExportTask;
  readonly exportStore: ExportStore;
}

const SWEEP_EVERY_MS = 60_000;
const QUEUE_MAX = 100;
/** Share of the recording budget that all exports together may use. */
const QUOTA_PART = 4;

export class Exports {
  readonly #options: ExportsOptions;
  readonly #burnIn: BurnIn;
  readonly #held = new Map<string, Held>();
  readonly #loaded = new Set<string>();
  #running: Promise<void> | null = null;
  #cancelSweep: () => void = () => undefined;
  #isClosed = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
    this.#burnIn = new BurnIn(options.disk, options.ffmpeg);
  }

  /** Resumes exports of an earlier run. Call again whenever the storage may be back. */
  async start(): Promise<void> {
    this.#cancelSweep();
    if (this.#isClosed) return;
    this.#cancelSweep = this.#options.after(SWEEP_EVERY_MS, () => void this.start());
    try {
      await this.#load();
      await this.#sweep();
    } catch (error) {
      if (!(error instanceof ExportError)) this.#options.onFault(error);
    }
    this.#runNext();
  }

  /** A running export starts over at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSweep();
    for (const { task } of this.#held.values()) task.end(new ExportError(ERROR_CODES.serviceBusy, 'the site ends'));
    await this.#running;
  }

  /** Recordings that an export still has to read must not be removed. */
  needs(channelId: string, startMs: number, endMs: number): boolean {
    for (const { task } of this.#held.values()) {
      if (!task.isPending) continue;
      const isNeeded = task.order.items.some(
        (item) => item.channelId === channelId && item.startTime - KEYFRAME_SEARCH_MS < endMs && item.endTime > startMs,
      );
      if (isNeeded) return true;
    }
    return false;
  }

  async add(order: ExportOrder): Promise<void> {
    await this.#load();
    if (this.#held.has(order.taskId)) return;
    const pending = [...this.#held.values()].filter(({ task }) => task.isPending);
    if (pending.length >= QUEUE_MAX) throw new ExportError(ERROR_CODES.quotaExceeded, 'the queue is full');
    const { bytes, recordedMs, availableBytes } = await this.estimate({ items: order.items });
    if (recordedMs === 0) throw new ExportError(ERROR_CODES.notFound, 'nothing is recorded in the range');
    if (bytes > availableBytes) throw new ExportError(ERROR_CODES.quotaExceeded, 'no room for the export');
    const exportStore = new ExportStore(this.#options.disk, this.#options.storage().folder);
    await this.#tryBurnIn(exportStore, order);
    // A concurrent call has created it.
    if (this.#held.has(order.taskId)) return;
    const task = ExportTask.queued(order, bytes);
    this.#held.set(order.taskId, { task, exportStore });
    try {
      await exportStore.save({ order, report: task.report });
    } catch (error) {
      this.#held.delete(order.taskId);
      throw error;
    }
    this.#runNext();
  }

  /** What cannot be burnt in is refused at once. */
  async #tryBurnIn(exportStore: ExportStore, { taskId, items }: ExportOrder): Promise<void> {
    const texts = items.flatMap((item) =>
      item.burnInZone ? [{ name: channelTitle(item), timeZone: item.burnInZone }] : [],
    );
    if (texts.length === 0) return;
    const folder = exportStore.folderOf(taskId);
    await this.#options.disk.makeFolder(folder);
    try {
      await this.#burnIn.tryOut(folder, texts);
    } catch (error) {
      await exportStore.remove(taskId);
      throw error;
    }
  }

  async estimate({ items }: ExportCalls['exportEstimate']['input']): Promise<ExportCalls['exportEstimate']['output']> {
    const { store } = this.#options.storage();
    let [bytes, recordedMs] = [0, 0];
    for (const { channelId, quality, startTime, endTime } of items) {
      const found = await planExport({ store, key: { channelId, quality }, startMs: startTime, endMs: endTime });
      bytes += found.bytes;
      recordedMs += found.recordedMs;
    }
    return { bytes, recordedMs: Math.round(recordedMs), availableBytes: await this.#available() };
  }

  async reports(taskIds: readonly string[] | null): Promise<SiteExport[]> {
    await this.#load();
    const wanted = taskIds ?? [...this.#held.keys()];
    return wanted.flatMap((taskId) => this.#held.get(taskId)?.task.report ?? []);
  }

  /** Cancels exports and removes all their data. */
  async end(taskIds: readonly string[], code: number): Promise<void> {
    await this.#load();
    for (const taskId of taskIds) {
      const held = this.#held.get(taskId);
      if (!held) continue;
      this.#held.delete(taskId);
      held.task.end(new ExportError(code, 'the export was taken back'));
      // The writer must close the file before the next one starts.
      await held.exportStore.remove(taskId);
    }
  }

  /** Null if there is no such finished export. */
  open(taskId: string): OpenExport | null {
    const held = this.#held.get(taskId);
    if (held?.task.report.state !== 'finished') return null;
    const { exportStore, task } = held;
    const [dataPath, manifestPath] = [exportStore.dataPath(taskId), exportStore.manifestPath(taskId)];
    return { dataPath, manifestPath, report: task.report, ended: task.ended };
  }

  #runNext(): void {
    if (this.#running || this.#isClosed) return;
    const next = [...this.#held.values()].find(({ task }) => task.isPending);
    if (!next) return;
    this.#running = this.#run(next).finally(() => {
      this.#running = null;
      this.#runNext();
    });
  }

  async #run({ task, exportStore }: Held): Promise<void> {
    const { disk, signer, wallMs, onFault } = this.#options;
    const { store } = this.#options.storage();
    const burnIn = this.#burnIn;
    await task.run({ disk, exportStore, store, signer, burnIn, wallMs, onFault, room: () => this.#room() });
    const isTakenBack = task.ended.aborted && !this.#isClosed;
    if (isTakenBack) await exportStore.remove(task.order.taskId).catch(onFault);
  }

  /** Quota left beside finished exports. */
  async #available(): Promise<number> {
    const { limits } = this.#options.storage();
    const taking = [...this.#held.values()].filter(({ task }) => task.report.state !== 'failed');
    const used = taking.reduce((sum, { task }) => sum + task.report.bytesTotal, 0);
    return Math.max(0, Math.min(limits.budgetBytes / QUOTA_PART - used, await this.#room()));
  }

  /** Room on the disk above the reserve. */
  async #room(): Promise<number> {
    const { limits, folder, state } = this.#options.storage();
    if (state === 'full') return 0;
    if (state !== 'normal') throw storageAway();
    const { freeBytes } = await this.#options.disk.space(folder);
    return freeBytes - limits.reserveBytes;
  }

  /** Once per storage folder; throws while it cannot be read, since the exports are then unknown. */
  async #load(): Promise<void> {
    const { folder, state } = this.#options.storage();
    if (this.#loaded.has(folder)) return;
    if (state === 'missing' || state === 'failing') throw storageAway();
    const exportStore = new ExportStore(this.#options.disk, folder);
    const stored = await exportStore.load();
    if (this.#loaded.has(folder)) return;
    this.#loaded.add(folder);
    for (const { order, report } of stored) {
      this.#held.set(order.taskId, { task: new ExportTask(order, report), exportStore });
    }
  }

  async #sweep(): Promise<void> {
    const now = this.#options.wallMs();
    for (const [taskId, { task, exportStore }] of this.#held) {
      const { expiresAt } = task.report;
      if (expiresAt === null || expiresAt > now) continue;
      this.#held.delete(taskId);
      task.end(new ExportError(ERROR_CODES.notFound, 'the export is over its time'));
      await exportStore.remove(taskId);
    }
  }
}

function storageAway(): ExportError {
  return new ExportError(ERROR_CODES.serviceBusy, 'the storage is away');
}
