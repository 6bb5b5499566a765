// Device ownership check: serials can be forged, so the device itself is asked whether it accepts the stored credentials.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCandidate } from '@vedette/contract/site/site.ts';
import { dialledUrl } from '@vedette/drivers/addresses.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import { deviceObject } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { type DeviceFacts, findDeviceFacts } from '../../database/device/device.queries.ts';
import {
  devicesReporting,
  isDeviceSerialUsed,
  type ReportingDevice,
} from '../../database/device/reported-serial.queries.ts';
import { openSecrets } from '../../site-link/device-secrets.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitesPort } from '../../site-link/site-port.ts';

export interface OwnershipCheckDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly site: SitesPort;
  readonly assignmentSync: AssignmentSync;
}

/** A device to be added. */
export interface ReportedDevice {
  readonly ownerId: string;
  readonly siteId: string;
  /** Its reported serial. */
  readonly serial: string;
  /** Dialled host and port: with the site they identify the device. */
  readonly networkAddress: string;
  /** It was just probed with valid credentials. Only then may the caller learn whose it is. */
  readonly isProved: boolean;
}

export interface RegisteredDevices {
  readonly own: readonly ReportingDevice[];
  /** Devices of others at the same place. */
  readonly others: readonly ReportingDevice[];
  /** A device has the reported serial as its name. */
  readonly isSerialUsed: boolean;
}

/** More rows of others at one place are not real devices. */
const CHECKED_MAX = 4;
/** How long the site's result is reused: each attempt brings an account closer to lock-out. */
const REFUSED: ReadonlySet<string | null> = new Set(['deviceAuth', 'untrusted']);

/** Devices with the same reported serial that matter to the adder. */
export async function registeredDevices(
  { database, box }: Pick<OwnershipCheckDeps, 'database' | 'box'>,
  reported: ReportedDevice,
): Promise<RegisteredDevices> {
  const rows = await devicesReporting(database, reported);
  const { ownerId, siteId, serial, networkAddress } = reported;
  return {
    own: rows.filter((row) => row.owner_id === ownerId),
    others: rows.filter(
      (row) =>
        row.owner_id !== ownerId &&
        row.site_id === siteId &&
        networkAddressOf({ driver: row.driver, native: openSecrets(box, row).native }, row.address) === networkAddress,
    ),
    isSerialUsed: await isDeviceSerialUsed(database, serial),
  };
}

/** Nothing relevant changed since. */
export function areSameDevices(one: RegisteredDevices, other: RegisteredDevices): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ own, others, isSerialUsed }: RegisteredDevices): string {
  return JSON.stringify([
    own.map(({ device_id }) => device_id),
    others.map(({ device_id }) => device_id),
    isSerialUsed,
  ]);
}

/** Throws 2024 for an own device, 2029 or 1008 for one of another account whose credentials the device accepts now. */
export async function refuseOwned(
  deps: OwnershipCheckDeps,
  rights: Rights,
  reported: ReportedDevice,
  { own, others }: RegisteredDevices,
): Promise<void> {
  if (own.length > 0) throw new CallError('exitDev');
  if (!reported.isProved) return;
  const asked = others.filter((row) => !REFUSED.has(row.status_reason)).slice(0, CHECKED_MAX);
  const admitted = await Promise.all(asked.map((row) => isCredentialAccepted(deps, row)));
  const [holder] = asked.filter((_row, at) => admitted[at]);
  if (holder === undefined) return;
  const facts = await findDeviceFacts(deps.database, holder.device_serial, undefined);
  throw new CallError(facts !== undefined && isVisible(rights, facts) ? 'exitShareDev' : 'ownership');
}

/** Asked by its site with the stored credentials over its pinned connection, so a false device learns nothing. */
async function isCredentialAccepted(deps: OwnershipCheckDeps, row: ReportingDevice): Promise<boolean> {
  const { device_id: deviceId, device_serial: deviceSerial } = row;
  const ask = async (): Promise<number | null> => {
    try {
      await deps.site.at(row.site_id).call('admits', { deviceSerial });
      return null;
    } catch (error) {
      if (error instanceof CallError) return error.code;
      throw error;
    }
  };
  let code = await ask();
  if (code === ERROR_CODES.devNotExist) {
    // Just added: the site does not know it yet.
    await deps.assignmentSync.deviceChanged(deviceId, deviceSerial);
    code = await ask();
  }
  // A remote site of an earlier version does not support this.
  if (code === ERROR_CODES.functionNotSupported) return row.status === DEVICE_STATUS.online;
  return code === null;
}

export function isVisible({ subject, grants, now }: Rights, facts: DeviceFacts): boolean {
  return decide({ subject, grants, now, action: null, object: deviceObject(facts, undefined) }).allowed;
}

/** Host and port of the driver's address record, else the address as it was typed. */
export function networkAddressOf(
  { driver, native }: Pick<SiteCandidate, 'driver' | 'native'>,
  address: string,
): string {
  const dialled = dialledUrl(driver, native);
  const host = dialled === undefined ? undefined : URL.parse(dialled)?.host;
  return (host === undefined || host === '' ? address : host).toLowerCase();
}
