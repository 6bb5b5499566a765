// Handlers of layout/*: saved layouts of the live wall, without channels that the caller may not view.
import type { Layout, layoutCalls } from '@vedette/contract/calls/layout.ts';
import { WALL_SPLITS } from '@vedette/contract/limits.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  deleteLayout,
  findLayout,
  insertLayout,
  type LayoutChange,
  type LayoutContent,
  layoutsFor,
  type LayoutViewer,
  listLayouts,
  type NamedLayout,
  updateLayout,
} from '../../database/media/layout.queries.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { tileKey, watchableTiles } from './watchable-tiles.ts';

export interface LayoutDeps {
  readonly database: Database;
}

export function layoutHandlers(deps: LayoutDeps): Handlers<keyof typeof layoutCalls> {
  const { database } = deps;
  return {
    'layout/list': async ({ input, rights }) => {
      const held = await rights();
      const viewer = viewerOf(held);
      const { total } = await layoutsFor(database, viewer)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await listLayouts(database, viewer, pageRange(input));
      return { total, layoutList: await toLayouts(database, held, rows) };
    },
    'layout/save': async ({ input, rights, now, audit }) => {
      const held = await rights();
      const { layoutId, version, name, split, tiles, shared } = input;
      const content = { name: name.trim(), split, tiles, isShared: shared };
      const saved =
        layoutId === undefined || version === undefined
          ? await addLayout(database, held, content, now)
          : await changeLayout(database, held, { layoutId, version, content }, now);
      audit.object = saved;
      return { layout: await oneLayout(database, held, saved) };
    },
    'layout/delete': async ({ input, rights }) => {
      const row = await editableLayout(database, viewerOf(await rights()), input.layoutId);
      await deleteLayout(database, row.layout_id);
      return {};
    },
  };
}

/** Throws 1009, 1011 and 1016. */
async function addLayout(database: Database, rights: Rights, content: LayoutContent, now: number): Promise<string> {
  const viewer = viewerOf(rights);
  await refuseUnwatchable(database, rights, content);
  const layoutId = newId();
  const use = { accountId: viewer.userId, now, take: { layouts: 1 } };
  await refuseTakenName(() =>
    withinQuota(database, use, (transaction) => insertLayout(transaction, viewer, { layoutId, content }, now)),
  );
  return layoutId;
}

/** Throws 1010 with the newer layout. Hidden tiles keep their place unless the editor uses it. */
async function changeLayout(database: Database, rights: Rights, change: LayoutChange, now: number): Promise<string> {
  const { layoutId, version, content } = change;
  const before = await editableLayout(database, viewerOf(rights), layoutId);
  await refuseUnwatchable(database, rights, content);
  const watchable = await watchableTiles(database, rights, before.tiles);
  const taken = new Set(content.tiles.map((tile) => tile.position));
  const hidden = before.tiles.filter(
    (tile) => !watchable.has(tileKey(tile)) && tile.position < content.split && !taken.has(tile.position),
  );
  const whole = { ...content, tiles: [...content.tiles, ...hidden] };
  const isDone = await refuseTakenName(() => updateLayout(database, { layoutId, version, content: whole }, now));
  if (!isDone) throw new CallError('stale', await oneLayout(database, rights, layoutId));
  return layoutId;
}

/** Throws 1009: layouts contain only what the caller may view. */
async function refuseUnwatchable(database: Database, rights: Rights, content: LayoutContent): Promise<void> {
  const watchable = await watchableTiles(database, rights, content.tiles);
  if (content.tiles.some((tile) => !watchable.has(tileKey(tile)))) throw new CallError('devNotExist');
}

async function refuseTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { name: 'notAllowed' });
    throw error;
  }
}

function viewerOf({ subject }: Rights): LayoutViewer {
  return { userId: subject.userId, ownerId: subject.ownerId ?? subject.userId };
}

function isEditable(viewer: LayoutViewer, row: NamedLayout): boolean {
  return row.creator_id === viewer.userId || row.owner_id === viewer.userId;
}

/** Throws 1007 if missing or private to another account, 1004 if only shared. */
async function editableLayout(database: Database, viewer: LayoutViewer, layoutId: string): Promise<NamedLayout> {
  const row = await findLayout(database, viewer, layoutId);
  if (row === undefined) throw new CallError('notFound');
  if (!isEditable(viewer, row)) throw new CallError('permissionDenied');
  return row;
}

async function oneLayout(database: Database, rights: Rights, layoutId: string): Promise<Layout> {
  const row = await findLayout(database, viewerOf(rights), layoutId);
  const [layout] = row === undefined ? [] : await toLayouts(database, rights, [row]);
  return requireFound(layout, 'notFound');
}

async function toLayouts(database: Database, rights: Rights, rows: readonly NamedLayout[]): Promise<Layout[]> {
  const watchable = await watchableTiles(
    database,
    rights,
    rows.flatMap((row) => row.tiles),
  );
  return rows.map((row) => {
    const tiles = row.tiles.filter((tile) => watchable.has(tileKey(tile)));
    return {
      layoutId: row.layout_id,
      name: row.layout_name,
      split: WALL_SPLITS.find((one) => one === row.split) ?? WALL_SPLITS[1],
      tiles: tiles.toSorted((one, other) => one.position - other.position),
      hiddenTotal: row.tiles.length - tiles.length,
      shared: row.is_shared,
      creator: row.creator_name,
      isEditable: isEditable(viewerOf(rights), row),
      version: row.version,
      changedAt: row.changed_at,
    };
  });
}
