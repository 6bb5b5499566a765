// Handlers of system/*: health, storage and network settings, certificates for the operator; reachable addresses for every account.
import { isAbsolute, normalize } from 'node:path';
import { parseNetwork } from '@vedette/foundation/network/ip-networks.ts';
import type { SystemConfig, systemCalls } from '@vedette/contract/calls/system.ts';
import type { StorageHealth } from '@vedette/contract/site/site.ts';
import { STORAGE_REASONS, type StorageReason } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { httpUrl } from '../../http/public-origin.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import { certificateFacts, outerUrls } from './host.facts.ts';
import { isBudgetChanged, refuseLargeBudget, storageUse } from './storage-use.ts';
import { type SystemSettings, toSiteSettings, withDisks } from './system-settings.ts';

/** As a site names it: of the first disk, or of one after it. */
const FOLDER_FIELD = /^(?:moreDisks\.\d{1,2}\.)?folder$/;

export interface SystemDeps {
  readonly settings: SystemSettings;
  readonly site: SitePort;
  readonly assignmentSync: AssignmentSync;
  readonly dataFolder: string;
  readonly publicPort: number;
  readonly accountSettings: AccountSettings;
  readonly database: Database;
}

export function systemHandlers(deps: SystemDeps): Handlers<keyof typeof systemCalls> {
  const { settings, site } = deps;
  return {
    'system/address/list': async () => ({
      publicAddress: (await deps.accountSettings.read()).config.consoleUrl,
      addressList: outerUrls(deps.publicPort),
    }),
    'system/health': async () => {
      if (!site.isOnline()) return { siteOnline: false, storage: null, streamList: [] };
      const { storage, streams } = await site.call('health', {});
      const { disks, ...all } = storage;
      return {
        siteOnline: true,
        storage: { ...all, diskList: [...(disks ?? [])] },
        streamList: streams.map((stream) => ({
          deviceSerial: stream.deviceSerial,
          channelNo: stream.channelNo,
          quality: stream.quality,
          state: stream.state,
          reason: stream.reason,
          lastFrameAt: stream.lastFrameAt,
          counters: { ...stream.counters },
        })),
      };
    },
    'system/storage/use': () => storageUse(deps),
    'system/config/get': async ({ origin }) => ({
      ...(await settings.read()),
      addressList: outerUrls(deps.publicPort),
      certificate: await certificateFacts(deps.dataFolder),
      authorityUrl: httpUrl(origin, '/ca.pem'),
    }),
    'system/config/set': async ({ input }) => {
      const before = await settings.read();
      if (before.version !== input.version) throw new CallError('stale', before);
      const config = withDisks(input.config, before.config.storage);
      refuseBadConfig(config);
      // The site tries the folder first: what it can't write to is refused and nothing changes.
      if (site.isOnline()) await trySettings(deps, before.config, config);
      const version = await settings.replace(config, input.version);
      if (version === undefined) {
        await deps.assignmentSync.everythingChanged();
        throw new CallError('stale', await settings.read());
      }
      const isOtherRetention = before.config.storage.retentionDays !== config.storage.retentionDays;
      // Also the site that has tried them: an assignment with what was before may have overtaken the try.
      await (isOtherRetention ? deps.assignmentSync.everythingChanged() : deps.assignmentSync.settingsChanged());
      return { config, version };
    },
  };
}

/** Throws 1003 at the folder, with the reason, when the site cannot write to it, and at the budget when its disk is smaller. */
async function trySettings(
  { site, assignmentSync }: SystemDeps,
  { storage: before }: SystemConfig,
  config: SystemConfig,
): Promise<void> {
  // The disk of another folder is known once the site has opened it.
  const isOtherDisk = before.folder !== config.storage.folder;
  if (!isOtherDisk && isBudgetChanged(before, config.storage))
    refuseLargeBudget(diskOf((await site.call('health', {})).storage, before.folder), config.storage);
  const opened = await openStorage(site, config);
  if (!isOtherDisk) return;
  try {
    refuseLargeBudget(diskOf(opened, config.storage.folder), config.storage);
  } catch (error) {
    await assignmentSync.settingsChanged();
    throw error;
  }
}

async function openStorage(site: SitePort, config: SystemConfig): Promise<StorageHealth> {
  try {
    return (await site.call('settings', toSiteSettings(config))).storage;
  } catch (error) {
    const refused = error instanceof CallError ? refusedFolder(error) : null;
    throw refused === null ? error : fieldError(refused);
  }
}

/** Which field of the storage the site refuses, and why. */
function refusedFolder({ code, data }: CallError): Readonly<Record<string, StorageReason>> | null {
  if (code !== ERROR_CODES.paramInvalid || typeof data !== 'object' || data === null) return null;
  for (const [field, word] of Object.entries(data)) {
    const reason = STORAGE_REASONS.find((one) => one === word);
    if (FOLDER_FIELD.test(field) && reason !== undefined) return { [`config.storage.${field}`]: reason };
  }
  return null;
}

function folderField(disk: number): string {
  return disk === 0 ? 'config.storage.folder' : `config.storage.moreDisks.${disk - 1}.folder`;
}

/** Of an older site, which does not tell its disks apart, what it tells of all. */
function diskOf(storage: StorageHealth, folder: string): Pick<StorageHealth, 'usedBytes' | 'freeBytes'> {
  return storage.disks?.find((disk) => disk.folder === folder) ?? storage;
}

function isSameOrBelow(one: string, other: string): boolean {
  const [a, b] = [one, other].map((folder) => `${normalize(folder)}/`.replace('//', '/')) as [string, string];
  return a.startsWith(b) || b.startsWith(a);
}

function refuseBadConfig(config: SystemConfig): void {
  const { folder, moreDisks = [] } = config.storage;
  const folders = [folder, ...moreDisks.map((disk) => disk.folder)];
  for (const [disk, one] of folders.entries()) {
    if (!isAbsolute(one) || one.includes('\0')) throw fieldError({ [folderField(disk)]: 'format' });
    // One below another would be listed twice, and deleted twice.
    if (folders.some((other, at) => at < disk && isSameOrBelow(one, other)))
      throw fieldError({ [folderField(disk)]: 'notAllowed' });
  }
  const isBad = config.network.cameraNetworks.findIndex((block) => parseNetwork(block) === null);
  if (isBad >= 0) throw fieldError({ [`config.network.cameraNetworks.${isBad}`]: 'format' });
}
