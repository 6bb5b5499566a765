// Handlers of the server's calls for device maintenance: firmware, formatting of disks, test of outputs.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { SiteFormat, DeviceMaintenanceCalls } from '@vedette/contract/site/site-device-maintenance.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import type { ConfigSections } from '@vedette/drivers/kit/config-section.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { FirmwareUpgrades } from '../firmware/firmware-upgrades.ts';

export interface MaintenanceCallsOptions {
  readonly fleet: Fleet;
  readonly upgrades: FirmwareUpgrades;
  readonly log: DriverLog;
}

type Handlers = {
  [N in keyof DeviceMaintenanceCalls]: (input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']>;
};

/** Of all that one call asks a device. */
const DEVICE_CALL_MS = 7000;
const FORMAT_MS = 60 * 60_000;
const BEGUN: SiteFormat = { state: 'running', percent: 0, code: null, data: null };

export function maintenanceCalls({ fleet, upgrades, log }: MaintenanceCallsOptions): Handlers {
  /** By device and disk. */
  const formats = new Map<string, SiteFormat>();
  const configOf = async (deviceSerial: string, channelNo: number, signal: AbortSignal): Promise<ConfigSections> => {
    const device = fleet.device(deviceSerial);
    if (device === null) throw new CallRefusal(ERROR_CODES.devNotExist);
    const { config } = await device.supervisor.driver.channel(channelNo, signal);
    if (config === undefined) throw new CallRefusal(ERROR_CODES.functionNotSupported);
    return config;
  };
  return {
    upgradeBegin: async ({ deviceSerial, bytes, sha256 }) => {
      await upgrades.begin(deviceSerial, bytes, sha256);
      return {};
    },
    upgradePart: async ({ deviceSerial, offset, data }) => {
      await upgrades.part(deviceSerial, offset, Buffer.from(data, 'base64'));
      return {};
    },
    upgradeRun: async ({ deviceSerial }) => {
      await upgrades.run(deviceSerial);
      return {};
    },
    upgradeStatus: async ({ deviceSerial }) => upgrades.status(deviceSerial),
    formatStart: async ({ deviceSerial, channelNo, disk }) => {
      const signal = AbortSignal.timeout(DEVICE_CALL_MS);
      const config = await configOf(deviceSerial, channelNo, signal);
      if (config.formatDisk === undefined) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      const key = `${deviceSerial}/${disk}`;
      if (formats.get(key)?.state === 'running') throw new CallRefusal(ERROR_CODES.serviceBusy);
      const disks = (await config.section('storage')?.read(signal))?.value.disks ?? [];
      if (!disks.some(({ id, canFormat }) => id === disk && canFormat === true))
        throw new CallRefusal(ERROR_CODES.notFound);
      const put = (part: Partial<SiteFormat>): void => void formats.set(key, { ...BEGUN, ...part });
      put({});
      config
        .formatDisk(disk, (percent) => put({ percent }), AbortSignal.timeout(FORMAT_MS))
        .then(
          () => put({ state: 'finished', percent: 100 }),
          (error: unknown) => {
            log.warn({ deviceSerial, err: error }, 'a disk was not emptied');
            const outcome =
              error instanceof DeviceFault ? deviceError(error) : { code: ERROR_CODES.devResponseTimeOut, data: null };
            put({ state: 'failed', ...outcome });
          },
        );
      return BEGUN;
    },
    formatStatus: async ({ deviceSerial, disk }) =>
      formats.get(`${deviceSerial}/${disk}`) ?? { state: 'none', percent: 0, code: null, data: null },
    outputSwitch: async ({ deviceSerial, channelNo, output, isOn }) => {
      const signal = AbortSignal.timeout(DEVICE_CALL_MS);
      const config = await configOf(deviceSerial, channelNo, signal);
      if (config.switchOutput === undefined) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      await config.switchOutput(output, isOn, signal);
      return {};
    },
  };
}
