// Exports the devices of an account as CSV that the import accepts, without passwords.
import { IMPORT_COLUMNS, type ImportColumn } from '@vedette/rules/onboarding/import-rows.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import type { Rights } from '../../../auth/rights.ts';
import type { SecretBox } from '../../../core/secret-box.ts';
import { visibleDevices } from '../../../auth/visibility-conditions.ts';
import type { Database } from '../../../database/connection.ts';
import { devicesWhere, filterDevices, selectWithOrganization } from '../../../database/device/device.queries.ts';
import { openSecrets } from '../../../site-link/device-secrets.ts';
import { splitTarget } from '../device-candidate.facts.ts';

const FILE_NAME = 'devices.csv';

export async function exportDevices(
  { database, box }: { readonly database: Database; readonly box: SecretBox },
  rights: Rights,
  organizationId: string | undefined,
): Promise<{ name: string; csv: string }> {
  const visible = devicesWhere(database, visibleDevices(rights, 'DeviceManage'));
  const rows = await selectWithOrganization(filterDevices(visible, { organizationId, withAllBelow: true }))
    .select(['device.credentials', 'device.native'])
    .orderBy('device.device_name')
    .orderBy('device.device_id')
    .execute();
  const names = await organizationNames(
    database,
    rows.flatMap(({ organization_path }) => organization_path ?? []),
  );
  const cells = rows.map((row) => {
    const path = row.organization_path ?? [];
    const columns: Readonly<Record<ImportColumn, string>> = {
      serial: row.device_serial,
      name: row.device_name,
      type: String(row.device_type),
      address: withoutSecrets(openSecrets(box, row).target),
      port: '',
      user: row.device_user_name,
      password: '',
      path: '',
      organization: path.map((id) => names.get(id) ?? '').join('/'),
    };
    return IMPORT_COLUMNS.map((column) => columns[column]);
  });
  return { name: FILE_NAME, csv: writeCsv([IMPORT_COLUMNS, ...cells]) };
}

/** Some cameras have credentials in the query. */
function withoutSecrets(target: string): string {
  const plain = splitTarget(target, '', '').target;
  return plain.split('?')[0] ?? plain;
}

async function organizationNames(database: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('organization')
    .select(['organization_id', 'organization_name'])
    .where('organization_id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.organization_id, row.organization_name]));
}
