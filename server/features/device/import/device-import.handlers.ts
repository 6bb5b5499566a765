// Handlers of CSV import and export of devices.
import type { DeviceImport } from '@vedette/contract/calls/onboarding.ts';
import { ImportFileError, readImportRows } from '@vedette/rules/onboarding/import-rows.ts';
import { authorizeOrganization } from '../../../auth/authorize.ts';
import type { SecretBox } from '../../../core/secret-box.ts';
import { CallError } from '../../../core/call-error.ts';
import type { Database } from '../../../database/connection.ts';
import type { Handlers } from '../../../http/handler.ts';
import type { SitesPort } from '../../../site-link/site-port.ts';
import type { DeviceAdder } from '../device-adder.ts';
import { destinationFor } from '../device-destination.ts';
import { usableSite } from '../../site/site.facts.ts';
import { exportDevices } from './device-export.ts';
import type { ImportService } from './import-service.ts';
import { type Plan, planRows } from './planned-row.ts';

export interface DeviceImportDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly adder: DeviceAdder;
  readonly importService: ImportService;
  readonly site: SitesPort;
}

type ImportPath = 'device/import' | 'device/import/status' | 'device/import/cancel' | 'device/export';

export function deviceImportHandlers(deps: DeviceImportDeps): Handlers<ImportPath> {
  const { database, importService } = deps;
  return {
    'device/import': async ({ input, principal, rights, now, audit }) => {
      audit.isPreview = input.mode !== 'apply';
      const held = await rights();
      const siteId = await usableSite(database, principal, input.siteId);
      const base = { ...(await destinationFor(database, held, input.organizationId)), siteId };
      const plan = await planRows(deps, held, base, readRows(input.csv));
      const { mode, isProbed } = input;
      if (mode === 'dryRun') return { import: { ...dryRun(plan, now), isSiteAway: !deps.site.at(siteId).isOnline() } };
      return { import: await importService.begin({ accountId: principal.userId, mode, isProbed }, plan) };
    },
    'device/import/status': async ({ input, principal }) => ({
      import: await importService.status(principal.userId, input.task),
    }),
    'device/import/cancel': async ({ input, principal }) => ({
      import: await importService.cancel(principal.userId, input.task),
    }),
    'device/export': async ({ input, rights }) => {
      const held = await rights();
      const { organizationId } = input;
      if (organizationId !== undefined && organizationId !== '0') {
        await authorizeOrganization(database, held, 'DeviceManage', organizationId);
      }
      return await exportDevices(deps, held, organizationId);
    },
  };
}

function readRows(csv: string) {
  try {
    return readImportRows(csv);
  } catch (error) {
    if (error instanceof ImportFileError) throw new CallError('paramInvalid', { csv: error.problem, line: error.line });
    throw error;
  }
}

function dryRun({ results }: Plan, now: number): DeviceImport {
  return {
    task: null,
    mode: 'dryRun',
    state: 'finished',
    total: results.length,
    done: results.length,
    createdAt: now,
    rowList: results,
  };
}
