// Matches CSV rows with existing organisations and devices.
import type { ImportRow } from '@vedette/contract/calls/onboarding.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ParsedRow } from '@vedette/rules/onboarding/import-rows.ts';
import type { Rights } from '../../../auth/rights.ts';
import type { SecretBox } from '../../../core/secret-box.ts';
import { visibleDevices } from '../../../auth/visibility-conditions.ts';
import type { Database } from '../../../database/connection.ts';
import { devicesWhere } from '../../../database/device/device.queries.ts';
import { ownedSerials } from '../../../database/device/reported-serial.queries.ts';
import { findOwnOrganizationByName } from '../../../database/access/organization.queries.ts';
import { openSecrets } from '../../../site-link/device-secrets.ts';
import { hostOf, splitTarget } from '../device-candidate.facts.ts';
import type { DeviceDestination } from '../device-destination.ts';

export interface PlannedRow {
  readonly parsed: Omit<ParsedRow, 'problems'>;
  /** '0' is the owner's root. */
  readonly organizationId: string;
  /** Absent in imports of an earlier version: the local site. */
  readonly siteId?: string;
}

/** Target of the rows, and the site that reaches their addresses. */
export interface ImportTarget extends DeviceDestination {
  readonly siteId: string;
}

export interface PlanDeps {
  readonly database: Database;
  readonly box: SecretBox;
}

export interface Plan {
  readonly planned: PlannedRow[];
  /** A row per planned one, in the same order. */
  readonly results: ImportRow[];
}

export async function planRows(
  deps: PlanDeps,
  rights: Rights,
  base: ImportTarget,
  rows: readonly ParsedRow[],
): Promise<Plan> {
  const places = await findOrganizations(deps.database, base, rows);
  const known = await knownTargets(deps, rights, base, rows);
  // Claims of a file about devices of others prove nothing and reveal nothing.
  const own = await ownedSerials(
    deps.database,
    base.ownerId,
    rows.map(({ serial }) => serial),
  );
  const planned: PlannedRow[] = [];
  const results: ImportRow[] = [];
  for (const { problems, ...parsed } of rows) {
    const place = places.get(organizationKey(parsed.organization));
    const allProblems = place === undefined ? { ...problems, organization: 'unknown' } : problems;
    const isInvalid = Object.keys(allProblems).length > 0;
    const code = isInvalid
      ? null
      : (known.get(targetKey(parsed)) ?? (own.has(parsed.serial) ? ERROR_CODES.exitDev : null));
    planned.push({ parsed, organizationId: place ?? '0', siteId: base.siteId });
    results.push({
      line: parsed.line,
      deviceName: parsed.name.slice(0, 64),
      address: hostOf(splitTarget(parsed.target, '', '').target),
      state: isInvalid ? 'invalid' : code === null ? 'ready' : 'failed',
      problems: allProblems,
      code,
      reason: null,
      deviceSerial: parsed.serial === '' ? null : parsed.serial.slice(0, 20),
    });
  }
  return { planned, results };
}

function organizationKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

function targetKey({ target }: Pick<ParsedRow, 'target'>): string {
  return splitTarget(target, '', '').target.toLowerCase();
}

/** Organisation ids by path of names below the base; unknown paths are missing. */
async function findOrganizations(
  database: Database,
  base: DeviceDestination,
  rows: readonly ParsedRow[],
): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const { organization: names } of rows) {
    const key = organizationKey(names);
    if (places.has(key)) continue;
    let id: string | null | undefined = base.organization?.organization_id ?? null;
    for (const name of names) {
      if (id !== undefined) {
        id = (await findOwnOrganizationByName(database, base.ownerId, id, name))?.organization_id;
      }
    }
    if (id !== undefined) places.set(key, id ?? '0');
  }
  return places;
}

/** 2024 or 2029 by target, if a visible device has the same address at the same site. */
async function knownTargets(
  { database, box }: PlanDeps,
  rights: Rights,
  base: ImportTarget,
  rows: readonly ParsedRow[],
): Promise<Map<string, number>> {
  const addresses = [...new Set(rows.map(({ target }) => hostOf(splitTarget(target, '', '').target)))];
  const held = await devicesWhere(database, visibleDevices(rights, null))
    .select(['device.device_id', 'device.owner_id', 'device.credentials', 'device.native'])
    .where('device.address', 'in', addresses)
    .where('device.site_id', '=', base.siteId)
    .execute();
  return new Map(
    held.map((row) => [
      openSecrets(box, row).target.toLowerCase(),
      row.owner_id === base.ownerId ? ERROR_CODES.exitDev : ERROR_CODES.exitShareDev,
    ]),
  );
}
