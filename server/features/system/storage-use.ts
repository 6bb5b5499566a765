// What recordings take on the disk of the local site: per camera, and whether a budget fits.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { StorageHealth } from '@vedette/contract/site/site.ts';
import type { SystemConfig } from '@vedette/contract/calls/system.ts';
import { largestBudget } from '@vedette/rules/storage-forecast.ts';
import { fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { namesOfChannels } from '../../database/device/channel.queries.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface StorageUseDeps {
  readonly database: Database;
  readonly site: SitePort;
}

export async function storageUse({ database, site }: StorageUseDeps): Promise<CallOutput<'system/storage/use'>> {
  const { channels } = await site.call('storageUse', {});
  const names = await namesOfChannels(
    database,
    channels.map(({ channelId }) => channelId),
  );
  const measured = channels.flatMap(({ bytesPerDay }) => bytesPerDay ?? []);
  const channelList = channels.flatMap(({ channelId, usedBytes, bytesPerDay, oldestAt }) => {
    const named = names.get(channelId);
    return named === undefined ? [] : [{ ...named, usedBytes, bytesPerDay, oldestAt }];
  });
  return {
    bytesPerDay: measured.length === 0 ? null : measured.reduce((sum, one) => sum + one, 0),
    total: channelList.length,
    channelList: channelList.toSorted((a, b) => b.usedBytes - a.usedBytes),
  };
}

/** A budget that was stored before stays, so that other settings can be saved. */
export function isBudgetChanged(before: SystemConfig['storage'], after: SystemConfig['storage']): boolean {
  const names = ['folder', 'budgetBytes', 'reserveBytes'] as const;
  return names.some((name) => before[name] !== after[name]);
}

/** Throws 1003 where the disk is smaller. */
export function refuseLargeBudget(
  disk: Pick<StorageHealth, 'usedBytes' | 'freeBytes'>,
  limits: SystemConfig['storage'],
) {
  if (limits.budgetBytes <= largestBudget({ ...disk, bytesPerDay: null }, limits.reserveBytes)) return;
  throw fieldError({ 'config.storage.budgetBytes': 'tooBig' });
}
