// What the claims of a user are worth by the mapping of the provider: the first row that fits decides.
import type { MappingColumns } from '../../database/account/identity-provider.queries.ts';
import type { RoleAssignment } from '../../database/access/role-assignment.queries.ts';

const NOTHING: RoleAssignment = { roleIds: [], organizationIds: [] };

/**
 * Rows are not added up: a role holds in all organisations of an account, so two rows together would give more than either. A row whose
 * role was deleted gives nothing; an organisation alone would let its cameras be seen.
 */
export function mappedRights(
  claims: Readonly<Record<string, unknown>>,
  mappings: readonly MappingColumns[],
): RoleAssignment {
  const fitting = mappings.find(({ claim, value }) => claimValues(claims, claim).includes(value));
  if (fitting === undefined || fitting.role_id === null) return NOTHING;
  return {
    roleIds: [fitting.role_id],
    organizationIds: fitting.organization_id === null ? [] : [fitting.organization_id],
  };
}

/** Of a claim by its name, else by a path with dots such as `realm_access.roles`; lists of texts, texts, numbers and truth values. */
export function claimValues(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : atPath(claims, name.split('.'));
  return (Array.isArray(found) ? found : [found]).flatMap((value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [],
  );
}

function atPath(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
