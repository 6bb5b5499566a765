// The site's cloud storage: opens stores as the server assigns them, copies recordings into them, and tells how far behind it is.
import type { DeviceAssignment, SiteEvent, SiteSettings } from '@vedette/contract/site/site.ts';
import type { CloudBacklog, CloudCalls, CloudOrder, ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { dayFolder, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { MovedCopies } from '@vedette/media/recordings/disks/disk-emptier.ts';
import { FileClaims } from '@vedette/media/recordings/disks/file-claims.ts';
import type { RecordedFile, RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { CopyRules } from '@vedette/media/recordings/retention.ts';
import { Copies } from './copies.ts';
import { CopyQueue, type CopyQueueLog, type OpenStore } from './copy-queue.ts';
import { CopyScrub, type LostCopy } from './copy-scrub.ts';
import { lostCopyReport, type ReportedChannel, reportedChannels } from './lost-copy-report.ts';
import { ObjectDeletions } from './object-deletions.ts';
import { rootOf } from './object-key.ts';
import { probeStore } from './probe-store.ts';
import { S3Store } from './s3-store.ts';
import { operatorPolicy } from '../core/operator-policy.ts';
import { serverObjectCalls } from './server-objects.ts';
import { storeSender } from './store-request.ts';
import { tieredDisk } from './tiered-disk.ts';
import { WaitingFiles } from './waiting-files.ts';

export interface CloudStorageOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  /** State folder of the site. */
  readonly folder: string;
  readonly ownPorts: () => ReadonlySet<number>;
  readonly settings: () => SiteSettings | null;
  readonly report: (event: SiteEvent) => void;
  readonly log: CopyQueueLog;
}

const PROBE_WITHIN_MS = 30_000;

export class CloudStorage {
  /** For everything that reads or removes recordings. */
  readonly disk: Disk;
  /** Files that are being copied to a store. */
  readonly claims = new FileClaims();
  readonly #options: CloudStorageOptions;
  readonly #copies: Copies;
  readonly #deletions: ObjectDeletions;
  readonly #waiting: WaitingFiles;
  readonly #stores = new Map<string, OpenStore>();
  #orders = new Map<string, CloudOrder>();
  /** By channel id. */
  #channels: ReadonlyMap<string, ReportedChannel> = new Map();
  #assigned = '';
  #recordings: (() => RecordingsStore) | null = null;
  #queue: CopyQueue | null = null;
  #scrub: CopyScrub | null = null;

  constructor(options: CloudStorageOptions) {
    const { disk, folder, log } = options;
    this.#options = options;
    this.#copies = new Copies(disk);
    this.#waiting = new WaitingFiles(this.#copies);
    const onFault = (error: unknown): void =>
      log.warn({ err: error }, 'the list of objects to delete could not be read');
    this.#deletions = new ObjectDeletions({ disk, folder, onFault });
    this.disk = tieredDisk({
      disk,
      copies: this.#copies,
      deletions: this.#deletions,
      storeOf: (storeId) => this.#stores.get(storeId)?.store ?? null,
    });
  }

  /** Orders and stores as the server assigned them last. */
  assign(devices: readonly DeviceAssignment[]): void {
    const channels = devices.flatMap((device) => device.channels);
    this.#channels = reportedChannels(devices);
    this.#orders = new Map(channels.flatMap(({ channelId, cloud }) => (cloud ? [[channelId, cloud]] : [])));
    const { objectStores = [], storage } = this.#options.settings() ?? {};
    const assigned = JSON.stringify([...this.#orders, objectStores, storage?.folder, storage?.moreDisks]);
    if (assigned === this.#assigned) return;
    this.#assigned = assigned;
    this.#stores.clear();
    for (const access of objectStores) {
      const open = { store: this.#open(access), rootOf: (id: string) => rootOf(access.prefix, id) };
      this.#stores.set(access.storeId, open);
    }
    this.#waiting.restart();
    this.#queue?.retry();
  }

  async start(recordings: () => RecordingsStore): Promise<void> {
    await this.#deletions.load();
    this.#recordings = recordings;
    this.#queue = new CopyQueue({
      disk: this.#options.disk,
      clock: this.#options.clock,
      copies: this.#copies,
      deletions: this.#deletions,
      waiting: this.#waiting,
      claims: this.claims,
      recordings,
      orderOf: (channelId) => this.#orders.get(channelId) ?? null,
      storeOf: (storeId) => this.#stores.get(storeId) ?? null,
      log: this.#options.log,
    });
    this.#queue.start();
    this.#scrub = new CopyScrub({
      clock: this.#options.clock,
      copies: this.#copies,
      folders: () => recordings().folders,
      storeOf: (storeId) => this.#stores.get(storeId)?.store ?? null,
      randomFraction,
      onMissing: () => this.#waiting.restart(),
      onLost: (lost) => this.#reportLost(lost),
      log: this.#options.log,
    });
    this.#scrub.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue?.close(), this.#scrub?.close()]);
  }

  #reportLost(lost: LostCopy): void {
    const { clock, report } = this.#options;
    const channel = this.#channels.get(lost.track.channelId);
    // The copies of a channel that the site has no more are nobody's alarm.
    if (channel) report(lostCopyReport(lost, channel, clock.wallMs()));
  }

  /** For the retention of recordings. */
  rulesOf(store: () => RecordingsStore): CopyRules {
    const dayOf = (key: TrackKey, startMs: number) => dayFolder(store().folderOf(key, startMs), key, startMs);
    const copyOf = (key: TrackKey, { startMs }: RecordedFile) => this.#copies.find(dayOf(key, startMs), startMs);
    return {
      placeOf: (key, file) => {
        // Asked of every file: those that were released need no search.
        if (file.mediaBytes === 0) return 'remote';
        return copyOf(key, file)?.state ?? (this.#waiting.has(key, file.startMs) ? 'awaited' : 'none');
      },
      untilOf: (key, file) => copyOf(key, file)?.until ?? 0,
      release: async (key, startMs) => {
        const day = dayOf(key, startMs);
        const copy = this.#copies.find(day, startMs);
        if (!copy) return;
        await this.#copies.set(day, { ...copy, state: 'remote' });
        await this.#options.disk.removeFile(store().mediaPath(key, startMs));
        store().released(key, startMs);
      },
    };
  }

  /** A file that is moved to another disk takes its copy along. */
  readonly moves: MovedCopies = {
    follow: async (key, startMs, { from, to }) => {
      const [source, target] = [from, to].map((folder) => dayFolder(folder, key, startMs)) as [string, string];
      const copy = this.#copies.find(source, startMs);
      if (copy && !this.#copies.find(target, startMs)) await this.#copies.set(target, copy);
      return copy?.mediaBytes ?? null;
    },
    leave: async (key, startMs, from) => await this.#copies.delete(dayFolder(from, key, startMs), startMs),
  };

  /** Answers of the calls of the server. */
  readonly calls = {
    storeProbe: async ({ store }: CloudCalls['storeProbe']['input']) =>
      await probeStore(this.#open(store), store.prefix, AbortSignal.timeout(PROBE_WITHIN_MS)),
    ...serverObjectCalls((storeId) => this.#stores.get(storeId) ?? null),
    cloudBacklog: async () => ({
      channels: [...this.#orders].map(([channelId, order]) => this.#backlogOf(channelId, order)),
    }),
  };

  #backlogOf(channelId: string, { storeId }: CloudOrder): CloudBacklog {
    const waiting = this.#waiting.ofChannel(channelId);
    const folders = (this.#recordings?.().folders ?? []).map((folder) => `${folder}/${channelId}`);
    const copies = folders.flatMap((folder) => [...this.#copies.below(folder)]);
    return {
      channelId,
      waitingFiles: waiting.length,
      waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      waitingSince: waiting.reduce<number | null>((least, { startMs }) => Math.min(least ?? startMs, startMs), null),
      storedFiles: copies.length,
      lostFiles: folders.reduce((sum, folder) => sum + (this.#scrub?.lostBelow(folder) ?? 0), 0),
      storedBytes: copies.reduce((sum, { copy }) => sum + copy.mediaBytes + copy.indexBytes, 0),
      reason: waiting.length === 0 ? null : (this.#queue?.reasonOf(storeId) ?? null),
    };
  }

  #open(access: ObjectStoreAccess): S3Store {
    const { clock, settings, ownPorts } = this.#options;
    const send = storeSender(() => operatorPolicy(settings()?.cameraNetworks ?? [], ownPorts()));
    return new S3Store({ access, send, wallMs: () => clock.wallMs() });
  }
}
