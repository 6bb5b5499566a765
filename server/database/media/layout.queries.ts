// Reads and writes saved layouts of the live wall.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { LayoutRow, StoredTile } from '../schema/schema.ts';

export interface LayoutViewer {
  readonly userId: string;
  /** The account that the viewer works for; itself unless a sub-account. */
  readonly ownerId: string;
}

export type NamedLayout = LayoutRow & { readonly creator_name: string };

export interface LayoutContent {
  readonly name: string;
  readonly split: number;
  readonly tiles: readonly StoredTile[];
  readonly isShared: boolean;
}

/** The viewer's own, and those shared among the accounts of its owner. */
export function layoutsFor(database: Database, viewer: LayoutViewer) {
  return database
    .selectFrom('layout')
    .innerJoin('account as creator', 'creator.account_id', 'layout.creator_id')
    .where((where) =>
      where.or([
        where('layout.creator_id', '=', viewer.userId),
        where.and([where('layout.owner_id', '=', viewer.ownerId), where('layout.is_shared', '=', true)]),
      ]),
    );
}

export async function listLayouts(
  database: Database,
  viewer: LayoutViewer,
  page: { offset: number; limit: number },
): Promise<NamedLayout[]> {
  return await layoutsFor(database, viewer)
    .selectAll('layout')
    .select('creator.user_name as creator_name')
    .orderBy('layout.layout_name_key')
    .orderBy('layout.layout_id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

export function findLayout(
  database: Database,
  viewer: LayoutViewer,
  layoutId: string,
): Promise<NamedLayout | undefined> {
  return layoutsFor(database, viewer)
    .selectAll('layout')
    .select('creator.user_name as creator_name')
    .where('layout.layout_id', '=', layoutId)
    .executeTakeFirst();
}

/** Rejects with a unique violation where the creator has a layout of that name. */
export async function insertLayout(
  database: Database,
  creator: LayoutViewer,
  { layoutId, content }: { readonly layoutId: string; readonly content: LayoutContent },
  now: number,
): Promise<void> {
  await database
    .insertInto('layout')
    .values({
      layout_id: layoutId,
      creator_id: creator.userId,
      owner_id: creator.ownerId,
      ...columnsOf(content),
      created_at: now,
      changed_at: now,
    })
    .execute();
}

export interface LayoutChange {
  readonly layoutId: string;
  /** The layout that it replaces. */
  readonly version: number;
  readonly content: LayoutContent;
}

/** False if the version is outdated or the layout was deleted. */
export async function updateLayout(
  database: Database,
  { layoutId, version, content }: LayoutChange,
  now: number,
): Promise<boolean> {
  const row = await database
    .updateTable('layout')
    .set({ ...columnsOf(content), version: sql`version + 1`, changed_at: now })
    .where('layout_id', '=', layoutId)
    .where('version', '=', version)
    .returning('layout_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLayout(database: Database, layoutId: string): Promise<void> {
  await database.deleteFrom('layout').where('layout_id', '=', layoutId).execute();
}

function columnsOf({ name, split, tiles, isShared }: LayoutContent) {
  return {
    layout_name: name,
    layout_name_key: name.toLowerCase(),
    split,
    tiles: JSON.stringify(tiles),
    is_shared: isShared,
  };
}
