// Creates the organisations of the demo, each once.
import type { Database } from '../../database/connection.ts';
import {
  findOrganization,
  findOwnOrganizationByName,
  insertOrganization,
} from '../../database/access/organization.queries.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { newId } from '@vedette/foundation/random/ids.ts';

/** `names` from the top down; returns the last, or null for none. */
export async function ensureOrganizations(
  database: Database,
  ownerId: string,
  names: readonly string[],
  now: number,
): Promise<OrganizationRow | null> {
  let parent: OrganizationRow | null = null;
  for (const name of names) parent = await ensureOne(database, { ownerId, parent, name }, now);
  return parent;
}

interface Wanted {
  readonly ownerId: string;
  readonly parent: OrganizationRow | null;
  readonly name: string;
}

async function ensureOne(database: Database, { ownerId, parent, name }: Wanted, now: number): Promise<OrganizationRow> {
  const parentId = parent?.organization_id ?? null;
  const held = await findOwnOrganizationByName(database, ownerId, parentId, name);
  if (held !== undefined) return held;
  const id = newId();
  const path = [...(parent?.path ?? []), id];
  await insertOrganization(database, {
    organization_id: id,
    owner_id: ownerId,
    organization_name: name,
    parent_id: parentId,
    path,
    created_at: now,
  });
  const made = await findOrganization(database, id);
  if (made === undefined) throw new Error('an organisation of the demo was removed while it was made');
  return made;
}
