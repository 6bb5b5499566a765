// Handlers of system/*: health, storage and network settings, certificates for the operator; reachable addresses for every account.
import { isAbsolute } from 'node:path';
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
import { type SystemSettings, toSiteSettings } from './system-settings.ts';

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
      const { folder, usedBytes, freeBytes, budgetBytes, state, reason, oldestAt } = storage;
      return {
        siteOnline: true,
        storage: { folder, usedBytes, freeBytes, budgetBytes, state, reason, oldestAt },
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
      refuseBadConfig(input.config);
      const before = await settings.read();
      if (before.version !== input.version) throw new CallError('stale', before);
      // The site tries the folder first: what it can't write to is refused and nothing changes.
      if (site.isOnline()) await trySettings(deps, before.config, input.config);
      const version = await settings.replace(input.config, input.version);
      if (version === undefined) {
        await deps.assignmentSync.everythingChanged();
        throw new CallError('stale', await settings.read());
      }
      const isOtherRetention = before.config.storage.retentionDays !== input.config.storage.retentionDays;
      // Also the site that has tried them: an assignment with what was before may have overtaken the try.
      await (isOtherRetention ? deps.assignmentSync.everythingChanged() : deps.assignmentSync.settingsChanged());
      return { config: input.config, version };
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
    refuseLargeBudget((await site.call('health', {})).storage, config.storage);
  const opened = await openStorage(site, config);
  if (!isOtherDisk) return;
  try {
    refuseLargeBudget(opened, config.storage);
  } catch (error) {
    await assignmentSync.settingsChanged();
    throw error;
  }
}

async function openStorage(site: SitePort, config: SystemConfig): Promise<StorageHealth> {
  try {
    return (await site.call('settings', toSiteSettings(config))).storage;
  } catch (error) {
    const reason = error instanceof CallError ? refusedFolder(error) : undefined;
    throw reason === undefined ? error : fieldError({ 'config.storage.folder': reason });
  }
}

function refusedFolder({ code, data }: CallError): StorageReason | undefined {
  if (code !== ERROR_CODES.paramInvalid || typeof data !== 'object' || data === null || !('folder' in data)) return;
  return STORAGE_REASONS.find((reason) => reason === data.folder);
}

function refuseBadConfig(config: SystemConfig): void {
  const { folder } = config.storage;
  if (!isAbsolute(folder) || folder.includes('\0')) throw fieldError({ 'config.storage.folder': 'format' });
  const isBad = config.network.cameraNetworks.findIndex((block) => parseNetwork(block) === null);
  if (isBad >= 0) throw fieldError({ [`config.network.cameraNetworks.${isBad}`]: 'format' });
}
