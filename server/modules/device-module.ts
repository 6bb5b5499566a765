// Devices: adding, importing and transferring them, their channels, groups, organizations, floor plans, configuration and firmware.
import { join } from 'node:path';
import type { AssignmentSync } from '../site-link/assignment-sync.ts';
import { loadAccountRights } from '../auth/rights.ts';
import { channelHandlers } from '../features/channel/channel.handlers.ts';
import { configHandlers } from '../features/config/config.handlers.ts';
import { DemoSite } from '../features/demo/demo-site.ts';
import { DeviceAdder } from '../features/device/device-adder.ts';
import { deviceConnectionHandlers } from '../features/device/device-connection.handlers.ts';
import { deviceListHandlers } from '../features/device/device-list.handlers.ts';
import { deviceMeasureHandlers } from '../features/device/device-measure.handlers.ts';
import { deviceTransferHandlers } from '../features/device/device-transfer.handlers.ts';
import { deviceHandlers } from '../features/device/device.handlers.ts';
import { discoverHandlers } from '../features/device/discover.handlers.ts';
import { deviceImportHandlers } from '../features/device/import/device-import.handlers.ts';
import { ImportService } from '../features/device/import/import-service.ts';
import { FirmwareStore } from '../features/firmware/firmware-store.ts';
import { FirmwareUpgradeService } from '../features/firmware/firmware-upgrade-service.ts';
import { firmwareUpload } from '../features/firmware/firmware-upload.ts';
import { firmwareHandlers } from '../features/firmware/firmware.handlers.ts';
import { floorPlanHandlers } from '../features/floor-plan/floor-plan.handlers.ts';
import { groupHandlers } from '../features/group/group.handlers.ts';
import { probeHandlers } from '../features/media/probe.handlers.ts';
import { organizationHandlers } from '../features/organization/organization.handlers.ts';
import { viewHandlers } from '../features/organization/view.handlers.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export interface DeviceModuleNeeds {
  readonly accounts: Pick<AccountServices, 'attempts'>;
  readonly sites: Pick<SiteModule, 'site' | 'tickets' | 'siteMeasures'> & { readonly assignmentSync: AssignmentSync };
  /** The ready line of the virtual devices, or null without a demo. */
  readonly demoFile: string | null;
  readonly demoHistoryMs: number;
}

export async function deviceModule(core: Core, { accounts, sites, demoFile, demoHistoryMs }: DeviceModuleNeeds) {
  const { database, clock, log, box, hub, dataFolder } = core;
  const { attempts } = accounts;
  const { site, assignmentSync, tickets } = sites;
  const adder = new DeviceAdder({ database, clock, attempts, box, site, assignmentSync, hub });
  const rightsOf = (accountId: string) => loadAccountRights(database, clock, accountId);
  const importService = new ImportService({ database, clock, log, box, adder, hub, rightsOf });
  site.whenConnected(() => importService.resume());
  const demo =
    demoFile === null
      ? null
      : new DemoSite({ database, clock, log, adder, rightsOf, file: demoFile, historyMs: demoHistoryMs });
  site.whenConnected(() => demo?.resume());
  const firmware = new FirmwareStore(join(dataFolder, 'firmware'));
  await firmware.clear();
  const push: SiteModulePush = (event, object) => hub.pushAbout(event, object);
  const firmwareUpgrades = new FirmwareUpgradeService({ ...core, site, push, store: firmware });
  const deps = { ...core, attempts, site, assignmentSync, tickets, adder, importService, firmware, firmwareUpgrades };
  return {
    calls: {
      ...channelHandlers(deps),
      ...configHandlers(deps),
      ...deviceHandlers(deps),
      ...deviceConnectionHandlers(deps),
      ...deviceListHandlers(deps),
      ...deviceMeasureHandlers({ database, site, siteMeasures: sites.siteMeasures }),
      ...deviceTransferHandlers(deps),
      ...deviceImportHandlers(deps),
      ...discoverHandlers(deps),
      ...probeHandlers(deps),
      ...firmwareHandlers(deps),
      ...floorPlanHandlers(deps),
      ...groupHandlers(deps),
      ...organizationHandlers(deps),
      ...viewHandlers(deps),
    },
    /** Adds the demo devices to the account. */
    beginDemo: async (accountId: string) => await demo?.begin(accountId),
    registerUpload: firmwareUpload({ ...core, firmware }),
    start: () => firmwareUpgrades.start(),
    close: () => {
      demo?.close();
      importService.close();
      firmwareUpgrades.close();
    },
  };
}

type SiteModulePush = ConstructorParameters<typeof FirmwareUpgradeService>[0]['push'];
