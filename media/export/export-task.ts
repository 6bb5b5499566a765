// One running export: writes it, reports progress, and cleans up on failure or cancel.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import type { Disk } from '../recordings/disk.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { BurnIn } from './burn-in.ts';
import { exportCode } from './export-error.ts';
import type { ManifestSigner } from './export-manifest.ts';
import { ExportOutput } from './export-output.ts';
import type { ExportStore } from './export-store.ts';
import { writeExport } from './export-writer.ts';

/** How long a finished export is kept. */
export const EXPORT_KEPT_MS = 24 * 3_600_000;

export interface ExportTaskOptions {
  readonly disk: Disk;
  readonly exportStore: ExportStore;
  readonly store: RecordingsStore;
  readonly signer: ManifestSigner;
  readonly burnIn: BurnIn;
  readonly wallMs: () => number;
  /** Free bytes above the reserve. */
  readonly room: () => Promise<number>;
  readonly onFault: (error: unknown) => void;
}

export class ExportTask {
  readonly order: ExportOrder;
  readonly #ended = new AbortController();
  #report: SiteExport;

  constructor(order: ExportOrder, report: SiteExport) {
    this.order = order;
    this.#report = report;
  }

  static queued(order: ExportOrder, bytesTotal: number): ExportTask {
    return new ExportTask(order, {
      taskId: order.taskId,
      state: 'queued',
      code: null,
      bytesDone: 0,
      bytesTotal,
      percent: 0,
      name: '',
      sha256: '',
      files: [],
      gaps: [],
      finishedAt: null,
      expiresAt: null,
    });
  }

  get report(): SiteExport {
    return this.#report;
  }

  get isPending(): boolean {
    return this.#report.state === 'queued' || this.#report.state === 'running';
  }

  /** Aborted with the code when the export is cancelled: writing and downloads stop. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  end(reason: Error): void {
    this.#ended.abort(reason);
  }

  /** Never rejects: failures are in the report. Only the report of a failed export is kept. */
  async run(options: ExportTaskOptions): Promise<void> {
    const { exportStore, onFault } = options;
    try {
      this.#report = { ...this.#report, state: 'running', bytesDone: 0, percent: 0 };
      await exportStore.save({ order: this.order, report: this.#report });
      await this.#write(options);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      const code = exportCode(error);
      if (code === ERROR_CODES.serverInternalError) onFault(error);
      const finishedAt = options.wallMs();
      this.#report = { ...this.#report, state: 'failed', code, finishedAt, expiresAt: finishedAt + EXPORT_KEPT_MS };
      await this.#keepFailure(exportStore, onFault);
    }
  }

  async #write({ disk, exportStore, store, signer, burnIn, wallMs, room }: ExportTaskOptions): Promise<void> {
    const { taskId } = this.order;
    const { signal } = this.#ended;
    const onProgress = this.#progress();
    const output = await ExportOutput.create({ disk, path: exportStore.dataPath(taskId), room, signal, onProgress });
    const burning = {
      burnIn,
      folder: exportStore.folderOf(taskId),
      encoded: { path: exportStore.encodedPath(taskId), room },
      onEncoded: (bytes: number) => onProgress('encoded', bytes),
    };
    try {
      const written = await writeExport({ order: this.order, disk, store, output, signer, wallMs, signal, burning });
      await exportStore.saveManifest(taskId, written.manifest);
      signal.throwIfAborted();
      const { name, sha256, files, gaps, bytes, finishedAt } = written;
      const report: SiteExport = {
        ...this.#report,
        state: 'finished',
        bytesDone: bytes,
        bytesTotal: bytes,
        percent: 100,
        name,
        sha256,
        files,
        gaps,
        finishedAt,
        expiresAt: finishedAt + EXPORT_KEPT_MS,
      };
      // After this point a restart offers the file; before it the export starts over.
      await exportStore.save({ order: this.order, report });
      this.#report = report;
    } finally {
      await output.close();
    }
  }

  /** Writing and checking take half each; where frames are encoded, that takes nearly all of the time. */
  #progress(): (kind: 'encoded' | 'written' | 'checked', bytes: number) => void {
    const done = { encoded: 0, written: 0, checked: 0 };
    const burns = this.order.items.some(({ burnInZone }) => Boolean(burnInZone));
    return (kind, bytes) => {
      done[kind] += bytes;
      const bytesDone = burns ? done.encoded : done.written;
      const bytesTotal = Math.max(this.#report.bytesTotal, bytesDone);
      const copied = (50 * (done.written + done.checked)) / Math.max(1, burns ? done.written : bytesTotal);
      const share = burns ? (90 * done.encoded) / Math.max(1, bytesTotal) + (copied - 50) / 5 : copied;
      const percent = Math.max(0, Math.min(99, Math.floor(share)));
      this.#report = { ...this.#report, bytesDone, bytesTotal, percent };
    };
  }

  async #keepFailure(store: ExportStore, onFault: (error: unknown) => void): Promise<void> {
    try {
      await store.removeData(this.order.taskId);
      await store.save({ order: this.order, report: this.#report });
    } catch (error) {
      // A faulty disk may reject this too: then the export is retried after a restart.
      onFault(error);
    }
  }
}
