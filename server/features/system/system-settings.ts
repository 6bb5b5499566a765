// Installation settings: storage and camera networks, with defaults that fit the disk at first start.
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemConfig } from '@vedette/contract/calls/system.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import type { SiteSettings } from '@vedette/contract/site/site.ts';
import type { Database } from '../../database/connection.ts';
import { insertSettingIfAbsent, readSetting, replaceSetting } from '../../database/account/setting.queries.ts';

const NAME = 'system';
const GIGABYTE = 1_000_000_000;
const DEMO_BUDGET_BYTES = 2 * GIGABYTE;
const RESERVE_BYTES = 5 * GIGABYTE;
/** Share of the free space at the first start that recordings may take. */
const BUDGET_SHARE = 0.8;
/** A small disk keeps at least this share free rather than the usual reserve. */
const SMALL_DISK_RESERVE_SHARE = 0.1;
const RETENTION_DAYS = 30;

export interface StoredConfig {
  readonly config: SystemConfig;
  readonly version: number;
}

export class SystemSettings {
  readonly #database: Database;

  constructor(options: { database: Database }) {
    this.#database = options.database;
  }

  /** Writes the defaults where nothing is stored yet. */
  async prepare(options: { dataFolder: string; isDemo: boolean }): Promise<void> {
    const { bavail, bsize } = await statfs(options.dataFolder);
    const freeBytes = bavail * bsize;
    const reserveBytes = Math.min(RESERVE_BYTES, Math.floor(freeBytes * SMALL_DISK_RESERVE_SHARE));
    const spare = Math.max(0, freeBytes - reserveBytes);
    const own = Math.min(Math.floor(freeBytes * BUDGET_SHARE), spare);
    const config: SystemConfig = {
      storage: {
        folder: join(options.dataFolder, 'recordings'),
        budgetBytes: options.isDemo ? Math.min(DEMO_BUDGET_BYTES, spare) : own,
        reserveBytes,
        retentionDays: RETENTION_DAYS,
        isEmptying: false,
        moreDisks: [],
      },
      network: { cameraNetworks: [] },
      alarms: { retentionDays: ALARM_LIMITS.usualRetentionDays, topicList: [], messageNetworks: [] },
      sharing: { autoAccept: true },
    };
    await insertSettingIfAbsent(this.#database, NAME, config);
  }

  async read(): Promise<StoredConfig> {
    const stored = await readSetting(this.#database, NAME);
    if (stored === undefined) throw new Error('the settings of the installation are missing');
    return { config: withDisks(SystemConfig.parse(stored.value)), version: stored.version };
  }

  /** Undefined when `version` is not the stored one any more. */
  async replace(config: SystemConfig, version: number): Promise<number | undefined> {
    return await replaceSetting(this.#database, NAME, config, version);
  }

  readonly siteSettings = async (): Promise<SiteSettings> => toSiteSettings((await this.read()).config);
  readonly alarms = async (): Promise<SystemConfig['alarms']> => (await this.read()).config.alarms;
  readonly sharing = async (): Promise<SystemConfig['sharing']> => (await this.read()).config.sharing;
  readonly retentionDays = async (): Promise<number> => (await this.read()).config.storage.retentionDays;
}

/** Settings of an earlier version, and changes by programs that know one disk alone, name no further ones. */
export function withDisks(config: SystemConfig, before?: SystemConfig['storage']): SystemConfig {
  const { isEmptying = before?.isEmptying ?? false, moreDisks = before?.moreDisks ?? [] } = config.storage;
  return { ...config, storage: { ...config.storage, isEmptying, moreDisks } };
}

export function toSiteSettings(config: SystemConfig): SiteSettings {
  const { folder, budgetBytes, reserveBytes, isEmptying = false, moreDisks = [] } = config.storage;
  const storage = { folder, budgetBytes, reserveBytes, isEmptying, moreDisks };
  return { storage, cameraNetworks: config.network.cameraNetworks };
}
