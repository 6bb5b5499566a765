// Reads and writes numbers and names of presets, and patrols.
import type { Selectable } from 'kysely';
import { PRESET_INDEX_MAX } from '@vedette/contract/ptz.ts';
import type { Database } from '../connection.ts';
import type { PatrolTable, PresetTable, StoredPatrolStop } from '../schema/schema.ts';

export type PresetRow = Selectable<PresetTable>;
export type PatrolRow = Selectable<PatrolTable>;

/** Synchronizes the table with the device and returns it by number. A token keeps its number while it exists. */
export async function syncPresets(
  database: Database,
  channelId: string,
  tokens: readonly string[],
): Promise<readonly PresetRow[]> {
  const known = await presetsOf(database, channelId);
  const gone = known.filter(({ token }) => !tokens.includes(token)).map(({ token }) => token);
  if (gone.length > 0) {
    await database.deleteFrom('preset').where('channel_id', '=', channelId).where('token', 'in', gone).execute();
  }
  const kept = known.filter(({ token }) => !gone.includes(token));
  const added = numberNew(tokens, kept).map((row) => ({ ...row, channel_id: channelId, name: null }));
  if (added.length === 0) return kept;
  await database
    .insertInto('preset')
    .values(added)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await presetsOf(database, channelId);
}

export function presetsOf(database: Database, channelId: string): Promise<PresetRow[]> {
  return database
    .selectFrom('preset')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('preset_index')
    .execute();
}

/** A numeric token gets that number if it is free; others the first free ones. */
export function numberNew(
  tokens: readonly string[],
  kept: readonly Pick<PresetRow, 'token' | 'preset_index'>[],
): { token: string; preset_index: number }[] {
  const taken = new Set(kept.map((row) => row.preset_index));
  const isKnown = new Set(kept.map(({ token }) => token));
  const fresh = [...new Set(tokens)].filter((token) => !isKnown.has(token));
  const isOwn = (token: string): boolean => /^[1-9]\d{0,3}$/.test(token) && !taken.has(Number(token));
  const own = fresh.filter(isOwn).map((token) => ({ token, preset_index: Number(token) }));
  for (const row of own) taken.add(row.preset_index);
  const named = new Set(own.map(({ token }) => token));
  const rest = fresh
    .filter((token) => !named.has(token))
    .flatMap((token) => {
      const index = firstFree(taken);
      if (index === null) return [];
      taken.add(index);
      return [{ token, preset_index: index }];
    });
  return [...own, ...rest];
}

export function firstFree(taken: ReadonlySet<number>): number | null {
  for (let index = 1; index <= PRESET_INDEX_MAX; index += 1) if (!taken.has(index)) return index;
  return null;
}

/** Deletes the number: the device may reuse the token. */
export async function insertPreset(database: Database, row: PresetRow): Promise<void> {
  await database.deleteFrom('preset').where('channel_id', '=', row.channel_id).where('token', '=', row.token).execute();
  await database.insertInto('preset').values(row).execute();
}

export async function renamePreset(database: Database, row: Omit<PresetRow, 'token'>): Promise<void> {
  await database
    .updateTable('preset')
    .set({ name: row.name })
    .where('channel_id', '=', row.channel_id)
    .where('preset_index', '=', row.preset_index)
    .execute();
}

export async function deletePreset(database: Database, channelId: string, presetIndex: number): Promise<void> {
  await database
    .deleteFrom('preset')
    .where('channel_id', '=', channelId)
    .where('preset_index', '=', presetIndex)
    .execute();
}

export function patrolsOf(database: Database, channelId: string): Promise<PatrolRow[]> {
  return database
    .selectFrom('patrol')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('name')
    .orderBy('patrol_id')
    .execute();
}

export async function storePatrol(
  database: Database,
  patrol: { patrol_id: string; channel_id: string; name: string; stops: readonly StoredPatrolStop[] },
): Promise<void> {
  const stops = JSON.stringify(patrol.stops);
  await database
    .insertInto('patrol')
    .values({ ...patrol, stops })
    .onConflict((conflict) => conflict.column('patrol_id').doUpdateSet({ name: patrol.name, stops }))
    .execute();
}

export async function deletePatrol(database: Database, patrolId: string): Promise<void> {
  await database.deleteFrom('patrol').where('patrol_id', '=', patrolId).execute();
}
