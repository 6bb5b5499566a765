// Device transfer by serial and registration code: the owner creates the code, whoever enters both takes the device over.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { REGISTRATION_CODE } from '@vedette/contract/limits.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import type { AttemptLimiter, AttemptBudget } from '../../auth/attempt-limiter.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { redeemDeviceCode, serialOfDeviceCode, storeDeviceCode } from '../../database/device/device-code.queries.ts';
import { type DeviceFacts, findDeviceFacts } from '../../database/device/device.queries.ts';
import { newReadable } from '@vedette/foundation/random/secrets.ts';
import { codeHashOf } from '../../site-link/remote-site-authenticator.ts';
import type { DeviceAdder, DeviceOrder } from './device-adder.ts';
import { transferOwnership } from './transfer-ownership.ts';
import { isVisible } from './device-ownership-check.ts';

export interface ClaimDeps {
  readonly database: Database;
  readonly attempts: AttemptLimiter;
  readonly adder: DeviceAdder;
}

export type Claim = Pick<DeviceOrder, 'rights' | 'ownerId' | 'organization' | 'deviceName' | 'deviceType'> & {
  readonly deviceSerial: string;
  readonly registrationCode: string;
  readonly principal: Principal;
  readonly now: number;
};

const GROUPS = /.{5}(?=.)/g;

/** Shown once; voids an earlier code. Throws 1004 for a device that is only shared. */
export async function makeDeviceCode(
  database: Database,
  device: AuthorizedDevice,
  giverId: string,
  now: number,
): Promise<{ registrationCode: string; codeUntil: number }> {
  if (device.ownerId !== giverId) throw new CallError('permissionDenied');
  const code = newReadable(REGISTRATION_CODE.length);
  const codeUntil = now + REGISTRATION_CODE.validMs;
  await storeDeviceCode(database, device.deviceId, { hash: codeHashOf(code), until: codeUntil });
  return { registrationCode: code.replaceAll(GROUPS, '$&-'), codeUntil };
}

/** Wrong codes per account, over all serials. */
function budgetOf(accountId: string): AttemptBudget {
  return { key: `device codes ${accountId}`, max: REGISTRATION_CODE.wrongPerAccount, windowMs: 3_600_000 };
}

/**
 * Returns the device. Unknown serials, foreign devices and wrong codes answer alike (1009), so that serials cannot be
 * probed; own (2024) and shared (2029) devices are named as such. Throws 1005 after many wrong codes.
 */
export async function claimDevice({ database, attempts, adder }: ClaimDeps, claim: Claim): Promise<DeviceFacts> {
  const { deviceSerial, registrationCode, principal, now } = claim;
  await refuseExisting(database, claim);
  const attemptId = await attempts.consume([budgetOf(principal.userId)]);
  const given = { codeHash: codeHashOf(registrationCode), now, tries: REGISTRATION_CODE.tries };
  // Several devices may report the typed serial, some under another name here.
  const meant = (await serialOfDeviceCode(database, deviceSerial, given)) ?? deviceSerial;
  const device = await findDeviceFacts(database, meant, undefined);
  if (device === undefined) throw new CallError('devNotExist');
  if (!(await redeemDeviceCode(database, device.deviceId, given))) throw new CallError('devNotExist');
  await attempts.refund(attemptId);
  await database.transaction().execute(async (transaction) => {
    // Added to a foreign organisation it belongs to that owner, without operator rights.
    const userType = claim.ownerId === principal.userId ? principal.userType : USER_TYPE.ordinary;
    const taker = { accountId: claim.ownerId, userType };
    await transferOwnership(transaction, { device, taker, organization: claim.organization, now });
    const { deviceName, deviceType } = claim;
    await transaction
      .updateTable('device')
      .set({ device_name: deviceName, ...(deviceType !== undefined && { device_type: deviceType }) })
      .where('device_id', '=', device.deviceId)
      .execute();
  });
  adder.publish(claim, device.deviceId);
  return device;
}

/** For others only the code identifies it. */
async function refuseExisting(database: Database, { rights, ownerId, deviceSerial }: Claim): Promise<void> {
  const facts = await findDeviceFacts(database, deviceSerial, undefined);
  if (facts === undefined) return;
  if (facts.ownerId === ownerId) throw new CallError('exitDev');
  if (isVisible(rights, facts)) throw new CallError('exitShareDev');
}
