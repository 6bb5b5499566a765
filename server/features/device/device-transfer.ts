// Offers a device to another account, which owns it once it accepts.
import { DEVICE_TRANSFER } from '@vedette/contract/limits.ts';
import type { QuotaExceeded } from '@vedette/contract/quotas.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { findNamedAccount, type NamedAccountDeps } from '../../auth/named-account.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import {
  countOffersTo,
  dropTransferOf,
  lockDevice,
  offeredTo,
  storeTransfer,
} from '../../database/device/device-transfer.queries.ts';
import { lockQuotas } from '../../database/account/quota.queries.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { reserveQuota } from '../../quota/reserve-quota.ts';
import { transferOwnership } from './transfer-ownership.ts';

export interface Offer {
  readonly transferId: string;
  /** Accounts whose pages change: both sides, and the receiver of an earlier offer. */
  readonly concerned: readonly string[];
  readonly takerId: string;
}

/**
 * Throws 1004 for a device that is only shared, 1005 after many unknown accounts, 1007 for an unknown or unsuitable
 * account, 1009 for a device deleted meanwhile, 1011 for too many open offers of either side, 1437 for the owner's
 * own.
 */
export async function offerDevice(
  deps: NamedAccountDeps,
  device: AuthorizedDevice,
  offer: { readonly giverId: string; readonly account: string; readonly now: number },
): Promise<Offer> {
  const { giverId, account, now } = offer;
  if (device.ownerId !== giverId) throw new CallError('permissionDenied');
  const taker = await findNamedAccount(deps, giverId, account);
  if (taker === undefined) throw new CallError('notFound');
  const takerId = taker.account_id;
  if (takerId === giverId) throw new CallError('untransferSelf');
  if (!canOwn({ userId: takerId, userType: taker.user_type })) throw new CallError('notFound');
  const transferId = newId();
  return await deps.database.transaction().execute(async (transaction) => {
    // First lock of the transaction, as when claiming: otherwise two could deadlock.
    await lockQuotas(transaction, giverId);
    requireFound(await lockDevice(transaction, device.deviceId, giverId), 'devNotExist');
    // An offer that it replaces does not count.
    const before = await dropTransferOf(transaction, device.deviceId);
    await reserveQuota(transaction, { accountId: giverId, now, take: { transfers: 1 } });
    await refuseFlooded(transaction, takerId, now);
    const times = { created_at: now, end_time: now + DEVICE_TRANSFER.validMs };
    const row = { device_id: device.deviceId, transfer_id: transferId, giver_id: giverId, taker_id: takerId, ...times };
    await storeTransfer(transaction, row);
    return { transferId, takerId, concerned: [giverId, takerId, ...(before === undefined ? [] : [before])] };
  });
}

/** Limits offers per receiver, so that many givers cannot fill its list. */
async function refuseFlooded(database: Database, takerId: string, now: number): Promise<void> {
  const used = await countOffersTo(database, takerId, now);
  const limit = DEVICE_TRANSFER.perReceiver;
  if (used >= limit) throw new CallError('quotaExceeded', { quota: 'transfers', limit, used } satisfies QuotaExceeded);
}

/**
 * Of two concurrent calls the second finds nothing. Throws 1004 for an account that can own nothing, 1007 for a
 * missing offer, 1011 over the quota.
 */
export async function acceptDevice(
  database: Database,
  taker: { readonly userId: string; readonly userType: number },
  transferId: string,
  now: number,
): Promise<{ readonly deviceId: string; readonly deviceSerial: string; readonly giverId: string }> {
  if (!canOwn(taker)) throw new CallError('permissionDenied');
  const asked = { transferId, takerId: taker.userId, now };
  return await database.transaction().execute(async (transaction) => {
    await lockQuotas(transaction, taker.userId);
    const offer = requireFound(await offeredTo(transaction, asked), 'notFound');
    requireFound(await lockDevice(transaction, offer.device_id, offer.giver_id), 'notFound');
    // Another call may have been faster.
    requireFound(await offeredTo(transaction, asked), 'notFound');
    const device = requireFound(await findDeviceFacts(transaction, offer.device_serial, undefined), 'notFound');
    const { userId: accountId, userType } = taker;
    await transferOwnership(transaction, { device, taker: { accountId, userType }, organization: null, now });
    return { deviceId: device.deviceId, deviceSerial: device.deviceSerial, giverId: offer.giver_id };
  });
}
