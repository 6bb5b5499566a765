// Recordings of a synthetic stream in a folder of their own, and the exports of it, for the tests of this room.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportOrder, ExportOrderItem, SiteExport } from '@vedette/contract/site/site-export.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { Recorder } from '../recorder/recorder.ts';
import { feed } from '../recorder/synthetic-stream.fixture.ts';
import type { StartFfmpeg } from '../codec/ffmpeg-process.ts';
import { createDisk, type Disk } from '../recordings/disk.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import type { StorageState } from '../recordings/storage-folder.ts';
import type { AudioFormat } from '../stream/stream.ts';
import { ManifestSigner } from './export-manifest.ts';
import { Exports } from './exports.ts';

export const KEY = { channelId: 'cam1', quality: 0 } as const;
const MASTER = Buffer.alloc(32, 7);

export class ExportBench {
  readonly folder: string;
  readonly store: RecordingsStore;
  readonly faults: unknown[] = [];
  readonly limits = { budgetBytes: 1e12, reserveBytes: 0 };
  state: StorageState = 'normal';
  nowMs = Date.UTC(2026, 5, 1);
  ffmpeg: StartFfmpeg | null = null;
  exports: Exports;
  #runs = 1;

  private constructor(folder: string, disk: Disk) {
    this.folder = folder;
    this.store = new RecordingsStore({ disk: createDisk(), folder });
    this.exports = this.open(disk);
  }

  static async create(disk: Disk = createDisk()): Promise<ExportBench> {
    return new ExportBench(await mkdtemp(join(tmpdir(), 'export-')), disk);
  }

  /** As after a restart: only what lies on the disk is known. */
  open(disk: Disk = createDisk()): Exports {
    this.exports = new Exports({
      disk,
      wallMs: () => this.nowMs,
      after: () => () => undefined,
      storage: () => ({ store: this.store, folder: this.folder, state: this.state, limits: this.limits }),
      signer: new ManifestSigner(MASTER),
      ffmpeg: this.ffmpeg,
      onFault: (error) => this.faults.push(error),
    });
    return this.exports;
  }

  /** 20 pictures a second, a keyframe every two seconds. */
  async record(startMs: number, seconds: number, audio: AudioFormat | null = null): Promise<void> {
    await this.recordWith((recorder) => feed(recorder, { startMs, seconds, audio, firstDts: 77 }));
  }

  async recordWith(give: (recorder: Recorder) => void): Promise<void> {
    const recorder = new Recorder({
      disk: createDisk(),
      key: KEY,
      sink: {
        folderForWriting: () => this.folder,
        opened: (key, file) => this.store.opened(key, file),
        stored: (key, file) => this.store.stored(key, file),
        closed: (key, file) => this.store.closed(key, file),
        failed: (error) => this.faults.push(error),
      },
      monotonicMs: () => performance.now(),
      wait: () => Promise.resolve(),
      newRunId: () => this.#runs++,
      queueMaxBytes: 1e9,
      onFault: (error) => this.faults.push(error),
    });
    give(recorder);
    await recorder.close();
  }

  order(taskId: string, ...ranges: readonly (readonly [number, number])[]): ExportOrder {
    const items = ranges.map(([startTime, endTime]): ExportOrderItem => {
      const names = { deviceSerial: 'SN1', deviceName: 'Recorder', channelNo: 1, channelName: 'Gate: "north" / <1>' };
      return { ...names, ...KEY, startTime, endTime };
    });
    return { taskId, createdAt: this.nowMs, requestedBy: 'operator', name: '', version: '1.2.3', commit: 'abc', items };
  }

  /** The report once the export is over, one way or the other. */
  async settled(taskId: string): Promise<SiteExport> {
    return await waitFor(
      'the end of the export',
      async () => {
        const [report] = await this.exports.reports([taskId]);
        return report?.state === 'finished' || report?.state === 'failed' ? report : undefined;
      },
      20_000,
    );
  }

  dataPath(taskId: string): string {
    const open = this.exports.open(taskId);
    if (!open) throw new Error('no such export');
    return open.dataPath;
  }

  async remove(): Promise<void> {
    await this.exports.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
