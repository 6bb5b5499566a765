// Composes the firmware services: file store, upgrade service and upload route.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { RuleDeps } from '../../http/permission-rule.ts';
import { firmwareUpload } from './firmware-upload.ts';
import { FirmwareStore } from './firmware-store.ts';
import { FirmwareUpgradeService, type FirmwareUpgradeServiceOptions } from './firmware-upgrade-service.ts';

export interface FirmwareServicesOptions extends RuleDeps, Omit<FirmwareUpgradeServiceOptions, 'store'> {
  readonly dataFolder: string;
}

export async function createFirmwareServices(options: FirmwareServicesOptions): Promise<{
  readonly firmware: FirmwareStore;
  readonly firmwareUpgrades: FirmwareUpgradeService;
  readonly registerUpload: (app: FastifyInstance) => void;
}> {
  const firmware = new FirmwareStore(join(options.dataFolder, 'firmware'));
  await firmware.clear();
  const firmwareUpgrades = new FirmwareUpgradeService({ ...options, store: firmware });
  return { firmware, firmwareUpgrades, registerUpload: firmwareUpload({ ...options, firmware }) };
}
