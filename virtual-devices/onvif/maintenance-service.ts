// Storages and firmware of a virtual device (ONVIF Core 8.3.9 and 8.10).

import { getStorageConfigurations, startFirmwareUpgrade } from '@vedette/protocols/onvif/maintenance-operations.ts';
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
      device.firmware.expect();
      return { UploadUri: device.httpUrl(FIRMWARE_PATH), UploadDelay: 'PT0S', ExpectedDownTime: 'PT5S' };
    }),
  ];
}
