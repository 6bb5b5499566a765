// Handlers of device/upgrade/*: available packages per device, and progress.
import type { DeviceUpgrade, firmwareCalls } from '@vedette/contract/calls/firmware.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { devicesWhere, selectWithOrganization } from '../../database/device/device.queries.ts';
import {
  dropPackage,
  isPackageInUse,
  type PackageRow,
  packagesOf,
  type UpgradeRow,
  upgradesOf,
} from '../../database/device/firmware.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { packageOwner, toPackage } from './firmware-package.ts';
import type { FirmwareStore } from './firmware-store.ts';
import type { FirmwareUpgradeService } from './firmware-upgrade-service.ts';

export interface FirmwareDeps {
  readonly database: Database;
  readonly site: Pick<SitePort, 'call'>;
  readonly firmwareUpgrades: FirmwareUpgradeService;
  readonly firmware: FirmwareStore;
}

interface Which {
  readonly deviceSerial?: string | undefined;
  readonly deviceSerialList?: readonly string[] | undefined;
}

type Shown = Awaited<ReturnType<typeof shownDevices>>[number];

/** For a list without names. */
const MOST_SHOWN = 1000;
const MOST_ASKED = 100;

export function firmwareHandlers(deps: FirmwareDeps): Handlers<keyof typeof firmwareCalls> {
  const { database, firmwareUpgrades, firmware } = deps;
  return {
    'device/upgrade/check': async ({ input, rights, principal }) => {
      const devices = await shownDevices(database, await rights(), input);
      const list = await listOf(database, principal, devices);
      const wanted = named(input)
        ? list
        : list.filter(({ newVersion, state }) => newVersion !== null || state !== 'none');
      const able = await devicesTakingFirmware(deps, wanted, devices);
      return answer(
        input,
        wanted.map((one) => ({ ...one, canUpgrade: one.canUpgrade && able.has(one.deviceSerial) })),
      );
    },
    'device/upgrade/status': async ({ input, rights, principal }) => {
      const list = await listOf(database, principal, await shownDevices(database, await rights(), input));
      return answer(input, named(input) ? list : list.filter(({ state }) => state !== 'none'));
    },
    'device/upgrade/start': async ({ input, device, rights, principal, audit }) => {
      const held = await rights();
      const found = await shownDevices(database, held, { deviceSerial: input.deviceSerial });
      const shown = requireFound(found[0], 'devNotExist');
      if (shown.status === DEVICE_STATUS.offline) {
        throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
      }
      const packages = await packagesOf(database, packageOwner(principal));
      const chosen =
        input.packageId === undefined
          ? newestFor(shown, packages)
          : packages.find(({ package_id }) => package_id === input.packageId);
      // Firmware for another model may destroy a camera.
      if (chosen === undefined || chosen.device_model !== shown.device_model) throw new CallError('notFound');
      audit.object = `${audit.object} fromVersion=${shown.device_version} toVersion=${chosen.version}`;
      const { deviceId, deviceSerial } = device;
      await firmwareUpgrades.begin({ deviceId, deviceSerial, version: shown.device_version }, chosen);
      const [upgrade] = await listOf(database, principal, [shown]);
      return { upgrade: requireFound(upgrade, 'devNotExist') };
    },
    'device/upgrade/package/list': async ({ principal }) => {
      const packageList = (await packagesOf(database, packageOwner(principal))).map(toPackage);
      return { total: packageList.length, packageList };
    },
    'device/upgrade/package/delete': async ({ input: { packageId }, principal }) => {
      const owned = await packagesOf(database, packageOwner(principal));
      if (!owned.some(({ package_id }) => package_id === packageId)) throw new CallError('notFound');
      if (await isPackageInUse(database, packageId)) throw new CallError('serviceBusy');
      await dropPackage(database, packageOwner(principal), packageId);
      await firmware.drop(packageId);
      return {};
    },
  };
}

function named({ deviceSerial, deviceSerialList }: Which): boolean {
  return deviceSerial !== undefined || deviceSerialList !== undefined;
}

/** Devices that the caller may manage. */
async function shownDevices(database: Database, rights: Rights, { deviceSerial, deviceSerialList }: Which) {
  const serials = deviceSerial === undefined ? deviceSerialList : [deviceSerial];
  let query = devicesWhere(database, visibleDevices(rights, 'DeviceManage'));
  if (serials !== undefined) query = query.where('device.device_serial', 'in', [...serials]);
  return await selectWithOrganization(query)
    .orderBy('device.device_name')
    .orderBy('device.device_id')
    .limit(MOST_SHOWN)
    .execute();
}

async function listOf(database: Database, principal: Principal, devices: readonly Shown[]): Promise<DeviceUpgrade[]> {
  const packages = await packagesOf(database, packageOwner(principal));
  const rows = await upgradesOf(
    database,
    devices.map(({ device_id }) => device_id),
  );
  return devices.map((device) => toUpgrade(device, newestFor(device, packages), rows.get(device.device_id)));
}

function toUpgrade(device: Shown, newest: PackageRow | undefined, row: UpgradeRow | undefined): DeviceUpgrade {
  const progress = progressOf(row);
  const isUnderWay = !['none', 'finished', 'failed'].includes(progress.state);
  const offered = newest?.version === device.device_version ? undefined : newest;
  return {
    deviceSerial: device.device_serial,
    deviceName: device.device_name,
    deviceModel: device.device_model,
    version: device.device_version,
    ...(isUnderWay ? targetOf(row?.to_version, row?.package_id) : targetOf(offered?.version, offered?.package_id)),
    canUpgrade: offered !== undefined && !isUnderWay && device.status === DEVICE_STATUS.online,
    ...progress,
  };
}

function targetOf(version: string | null | undefined, packageId: string | null | undefined) {
  return { newVersion: version ?? null, packageId: packageId ?? null };
}

type UpgradeProgress = Pick<DeviceUpgrade, 'state' | 'progress' | 'reason' | 'startTime' | 'endTime'>;

function progressOf(row: UpgradeRow | undefined): UpgradeProgress {
  if (row === undefined) return { state: 'none', progress: 0, reason: null, startTime: null, endTime: null };
  return {
    state: row.state as DeviceUpgrade['state'],
    progress: row.percent,
    reason: row.reason as DeviceUpgrade['reason'],
    startTime: row.started_at,
    endTime: row.ended_at,
  };
}

function newestFor({ device_model }: Shown, packages: readonly PackageRow[]): PackageRow | undefined {
  return packages.find((one) => one.device_model === device_model);
}

/** Only upgradable devices are polled, at most a hundred. */
async function devicesTakingFirmware(
  { site }: FirmwareDeps,
  list: readonly DeviceUpgrade[],
  devices: readonly Shown[],
): Promise<ReadonlySet<string>> {
  const stored = new Set(
    devices.filter(({ capabilities }) => capabilities.includes('upgrade')).map(({ device_serial }) => device_serial),
  );
  const asked = list.filter(({ canUpgrade, deviceSerial }) => canUpgrade && !stored.has(deviceSerial));
  const said = await Promise.all(
    asked.slice(0, MOST_ASKED).map(async ({ deviceSerial }) => {
      try {
        const { capabilities } = await site.call('capabilities', { deviceSerial, channelNo: null });
        return capabilities.includes('upgrade') ? [deviceSerial] : [];
      } catch (error) {
        if (error instanceof CallError) return [];
        throw error;
      }
    }),
  );
  return new Set([...stored, ...said.flat()]);
}

function answer({ deviceSerial }: Which, upgradeList: DeviceUpgrade[]) {
  const [one] = upgradeList;
  if (deviceSerial === undefined) return { version: null, progress: null, upgradeList };
  if (one === undefined) throw new CallError('devNotExist');
  return { version: one.version, progress: one.progress, upgradeList };
}
