// Composes the firmware services: file store, upgrade service and upload route.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { RuleParts } from '../../http/permission-rule.ts';
import { firmwareDoor } from './firmware-door.ts';
import { FirmwareStore } from './firmware-store.ts';
import { UpgradeDesk, type UpgradeDeskOptions } from './upgrade-desk.ts';

export interface UpgradePartsOptions extends RuleParts, Omit<UpgradeDeskOptions, 'store'> {
  readonly dataFolder: string;
}

export async function createUpgradeParts(options: UpgradePartsOptions): Promise<{
  readonly firmware: FirmwareStore;
  readonly upgradeDesk: UpgradeDesk;
  readonly openDoor: (app: FastifyInstance) => void;
}> {
  const firmware = new FirmwareStore(join(options.dataFolder, 'firmware'));
  await firmware.clear();
  const upgradeDesk = new UpgradeDesk({ ...options, store: firmware });
  return { firmware, upgradeDesk, openDoor: firmwareDoor({ ...options, firmware }) };
}
