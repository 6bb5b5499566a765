// Changes a device: its name, or its address and credentials after probing again.
import type { SecretBox } from '../../core/secret-box.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findDevice } from '../../database/device/device.queries.ts';
import { devicesReporting } from '../../database/device/reported-serial.queries.ts';
import type { DeviceRow } from '../../database/schema/schema.ts';
import { openSecrets, sealSecrets } from '../../site-link/device-secrets.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { hostOf, serialOf, splitTarget } from './device-candidate.facts.ts';

export interface DeviceChange {
  readonly deviceName?: string | undefined;
  readonly target?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly isSameDevice?: boolean | undefined;
  readonly version?: number | undefined;
}

export interface DeviceChangerDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly site: SitesPort;
}

/** False where `version` is not the stored one any more. */
export async function changeDevice(
  deps: DeviceChangerDeps,
  device: AuthorizedDevice,
  change: DeviceChange,
  isOperator: boolean,
): Promise<boolean> {
  const isReached = change.target !== undefined || change.user !== undefined || change.password !== undefined;
  const reached = isReached ? await lookAgain(deps, device, change, isOperator) : {};
  let query = deps.database
    .updateTable('device')
    .set((expression) => ({
      version: expression('version', '+', 1),
      ...(change.deviceName !== undefined && { device_name: change.deviceName }),
      ...reached,
    }))
    .where('device_id', '=', device.deviceId)
    .returning('device_id');
  if (change.version !== undefined) query = query.where('version', '=', change.version);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The new address must lead to the same device, else its recordings would mix with another's. */
async function lookAgain(deps: DeviceChangerDeps, device: AuthorizedDevice, change: DeviceChange, isOperator: boolean) {
  const { row, from, candidate, serial, isSame } = await probeAgain(deps, device, change, isOperator);
  if (!isSame) await confirmSame(deps.database, { row, serial, isConfirmed: change.isSameDevice === true });
  return {
    ...(!isSame && { reported_serial: serial }),
    driver: candidate.driver,
    native: null,
    address: hostOf(candidate.address),
    device_user_name: from.user,
    credentials: sealSecrets(deps.box, row.device_id, { ...from, native: candidate.native }),
    is_operator_address: isOperator,
  };
}

/** Asks what answers with the changed address and credentials, and whether that is still the same device; saves nothing. */
export async function probeAgain(
  deps: DeviceChangerDeps,
  device: AuthorizedDevice,
  change: DeviceChange,
  isOperator: boolean,
) {
  const row = requireFound(await findDevice(deps.database, device.deviceId), 'devNotExist');
  const held = openSecrets(deps.box, row);
  // A new address never gets the stored password: it might be another machine.
  const isMoved = change.target !== undefined && change.target.trim() !== held.target;
  const fallback = isMoved ? { user: '', password: '' } : held;
  const from = splitTarget(
    change.target ?? held.target,
    change.user ?? fallback.user,
    change.password ?? fallback.password,
  );
  const candidate = await deps.site.at(row.site_id).call('probe', { ...from, isOperator });
  const serial = serialOf(candidate);
  const isSame = !isMoved || serial === (row.reported_serial ?? row.device_serial) || isAddressSerial(row.driver);
  return { row, from, candidate, serial, isSame };
}

/** Only who is told so may say that it is the same, and never of one that is in the list already. */
async function confirmSame(
  database: Database,
  { row, serial, isConfirmed }: { readonly row: DeviceRow; readonly serial: string; readonly isConfirmed: boolean },
): Promise<void> {
  if (!isConfirmed) throw new CallError('devInternalErr', { reason: 'otherDevice' });
  const known = await devicesReporting(database, { serial, ownerId: row.owner_id, siteId: row.site_id });
  if (known.some(({ device_id: id }) => id !== row.device_id)) throw new CallError('exitDev');
}

/** A bare RTSP address says nothing of the device behind it: its serial was made from the address. */
function isAddressSerial(driver: string): boolean {
  return driver === 'rtsp';
}
