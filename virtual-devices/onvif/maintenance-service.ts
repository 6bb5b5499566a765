// Storages and firmware of a virtual device (ONVIF Core 8.3.9 and 8.10).

import {
  getStorageConfigurations,
  startFirmwareUpgrade,
  upgradeSystemFirmware,
} from '@vedette/protocols/onvif/maintenance-operations.ts';
import { actionNotSupported, OnvifFault } from './onvif-fault.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

export const FIRMWARE_PATH = '/firmware';

export function maintenanceHandlers(device: OnvifDevice): OperationHandler[] {
  return [
    answer(getStorageConfigurations, () => ({
      StorageConfigurations: device.disks.list
        .filter(({ state }) => state !== 'missing')
        .map(({ id, name }) => ({ token: `storage_${id}`, Data: { type: 'LocalStorage', LocalPath: name } })),
    })),
    answer(startFirmwareUpgrade, () => {
      if (device.firmware.way === 'mtom') throw actionNotSupported();
      device.firmware.expect();
      return { UploadUri: device.httpUrl(FIRMWARE_PATH), UploadDelay: 'PT0S', ExpectedDownTime: 'PT5S' };
    }),
    answer(upgradeSystemFirmware, ({ Firmware }, { attached, onGone }) => {
      if (device.firmware.way === 'http') throw actionNotSupported();
      const file = attached.get(decodeURIComponent(Firmware.Include.href.replace(/^cid:/u, '')));
      if (file === undefined || !device.firmware.install(file)) {
        const subcodes = ['ter:InvalidArgs', 'ter:InvalidFirmware'];
        throw new OnvifFault({ code: 'Sender', subcodes, reason: 'The firmware was invalid' });
      }
      onGone(() => device.reboot());
      return { Message: 'The device restarts with it' };
    }),
  ];
}
