// Groups of a user of a directory: those that name the user and, where that is wanted, those that these groups are in.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import type { DirectoryConnection } from './directory-connection.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import { filterOfValue } from './directory-filter.ts';

/** What comes first in a distinguished name: its value is what people call the group. */
const GROUP_NAME = 'cn';

interface Group {
  /** Distinguished name. */
  readonly name: string;
  /** What a row of the mapping may call it. */
  readonly words: readonly string[];
}

/** By the group, in small letters, those that it is in: what one look at many users asks for once. */
export type KnownParents = Map<string, readonly Group[]>;

export interface UserGroups {
  /** As rows of the mapping name them. */
  readonly direct: readonly string[];
  /** Through other groups, the nearest first. */
  readonly nested: readonly string[];
  /** There are more, which do not count. */
  readonly isCut: boolean;
}

export interface GroupSource {
  readonly connection: DirectoryConnection;
  readonly settings: DirectorySettings;
  readonly parents: KnownParents;
}

/**
 * Distinguished names, and of groups that were searched below their base the short names too: anywhere else in the directory somebody
 * else might make a group of the same short name. Throws DirectoryError.
 */
export async function groupsOfUser(source: GroupSource, entry: DirectoryEntry): Promise<UserGroups> {
  const { settings } = source;
  // One more than counts, to know of it.
  const found = await directGroups(source, entry, DIRECTORY_LIMITS.groups + 1);
  const direct = found.slice(0, DIRECTORY_LIMITS.groups);
  // Of memberUid the members are names of users, so no group is in another.
  const isNested = settings.nestedGroups === true && settings.groupsBy !== 'memberUid';
  const { groups, isCut } = isNested ? await groupsAround(source, direct) : { groups: [], isCut: false };
  return { direct: wordsOf(direct), nested: wordsOf(groups), isCut: isCut || found.length > direct.length };
}

/** Level by level and each group once, so that a group within itself ends it as well as the bounds do. */
async function groupsAround(
  source: GroupSource,
  direct: readonly Group[],
): Promise<{ readonly groups: readonly Group[]; readonly isCut: boolean }> {
  const seen = new Set(direct.map(keyOf));
  const groups: Group[] = [];
  let level = direct;
  for (let depth = 0; level.length > 0; depth += 1) {
    const above = unseen(await parentsOfAll(source, level), seen);
    const room = depth < DIRECTORY_LIMITS.groupDepth ? DIRECTORY_LIMITS.groups - direct.length - groups.length : 0;
    groups.push(...above.slice(0, room));
    if (above.length > room) return { groups, isCut: true };
    level = above;
  }
  return { groups, isCut: false };
}

/** Without those that were met before; notes them. */
function unseen(groups: readonly Group[], seen: Set<string>): Group[] {
  return groups.filter((group) => {
    const isNew = !seen.has(keyOf(group));
    seen.add(keyOf(group));
    return isNew;
  });
}

async function parentsOfAll(source: GroupSource, groups: readonly Group[]): Promise<Group[]> {
  const found: Group[] = [];
  for (let start = 0; start < groups.length; start += DIRECTORY_LIMITS.groupQuestions) {
    const together = groups.slice(start, start + DIRECTORY_LIMITS.groupQuestions);
    found.push(...(await Promise.all(together.map((group) => parentsOf(source, group)))).flat());
  }
  return found;
}

async function parentsOf(source: GroupSource, group: Group): Promise<readonly Group[]> {
  const known = source.parents.get(keyOf(group));
  if (known !== undefined) return known;
  const found = await askedParents(source, group);
  source.parents.set(keyOf(group), found);
  return found;
}

async function askedParents(source: GroupSource, group: Group): Promise<readonly Group[]> {
  const { connection, settings } = source;
  if (settings.groupsBy !== 'memberOf') return await groupsWith(source, group.name, DIRECTORY_LIMITS.groups + 1);
  // A group that is gone, is of another directory or may not be read is still one that names the user, and leads nowhere.
  const entry = await connection.entryAt(group.name, ['memberOf']);
  return entry === null ? [] : groupsNamedBy(entry);
}

async function directGroups(source: GroupSource, entry: DirectoryEntry, most: number): Promise<readonly Group[]> {
  const { groupsBy, nameAttribute } = source.settings;
  if (groupsBy === 'memberOf') return groupsNamedBy(entry);
  const value = groupsBy === 'memberUid' ? entry.texts(nameAttribute)[0] : entry.name;
  return value === undefined ? [] : await groupsWith(source, value, most);
}

/** Of one that is read itself its distinguished name alone. */
function groupsNamedBy(entry: DirectoryEntry): Group[] {
  return entry.texts('memberOf').map((name) => ({ name, words: [name] }));
}

async function groupsWith({ connection, settings }: GroupSource, member: string, most: number): Promise<Group[]> {
  const { groupsBy, groupBase, searchBase } = settings;
  const found = await connection.search({
    base: groupBase === '' ? searchBase : groupBase,
    filter: filterOfValue(groupsBy, member),
    attributes: [GROUP_NAME],
    most,
  });
  return found.map((group) => ({ name: group.name, words: [group.name, ...group.texts(GROUP_NAME)] }));
}

function wordsOf(groups: readonly Group[]): string[] {
  return groups.flatMap((group) => group.words);
}

/** Directories write one name in letters of either size. */
function keyOf({ name }: Group): string {
  return name.toLowerCase();
}
