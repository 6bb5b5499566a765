// What must hold before a database is upgraded by logical replication; each fault has a sentence that says what to do.

import { isPaused } from './pause.js';
import { ask, list, upgradeName } from './session.js';

/** @typedef {import('./session.js').Client} Client */

/**
 * @param {Client} from
 * @param {Client} to
 * @param {readonly string[]} known migrations of this version
 * @returns {Promise<string[]>} one sentence for each fault
 */
export async function findFaults(from, to, known) {
  return [
    ...(await versionFaults(from, to)),
    ...(await sourceFaults(from, known)),
    ...(await rightFaults(from, to)),
    ...(await targetFaults(to)),
    ...(await earlierFaults(from, to)),
  ];
}

/**
 * Major versions of both.
 * @param {Client} from
 * @param {Client} to
 */
export async function versionsOf(from, to) {
  const version = "select current_setting('server_version_num')::int / 10000";
  return { old: Number(await ask(from, version)), new: Number(await ask(to, version)) };
}

/**
 * @param {Client} from
 * @param {Client} to
 */
async function versionFaults(from, to) {
  const { old, new: next } = await versionsOf(from, to);
  const faults = [];
  if (next < old) faults.push(`the new PostgreSQL is ${next}, older than ${old}: name one that is not older.`);
  // Replicas share the identifier of their primary.
  const identity = `select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) from pg_control_system()`;
  if ((await ask(from, identity)) === (await ask(to, identity)))
    faults.push('both addresses lead to the same database.');
  return faults;
}

/**
 * @param {Client} from
 * @param {readonly string[]} known
 */
async function sourceFaults(from, known) {
  const faults = [];
  if ((await ask(from, 'show wal_level')) !== 'logical')
    faults.push(
      'wal_level of the old database is not logical: run this command with --prepare, then restart that PostgreSQL.',
    );
  for (const name of ['max_replication_slots', 'max_wal_senders']) {
    const used = name === 'max_wal_senders' ? 'pg_stat_replication' : 'pg_replication_slots';
    const free = await ask(from, `select current_setting('${name}')::int - count(*)::int from ${used}`);
    if (free < 2 && !(await ask(from, 'select true from pg_replication_slots where slot_name = $1', [upgradeName])))
      faults.push(`${name} of the old database leaves ${free} free: raise it by 2.`);
  }
  const unlogged = await list(
    from,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'",
  );
  if (unlogged.length > 0) faults.push(`unlogged tables are not copied: ${unlogged.join(', ')}.`);
  const extensions = await list(
    from,
    "select extname || ' ' || extversion from pg_extension where extname <> 'plpgsql'",
  );
  if (extensions.length > 0)
    faults.push(`extensions are not copied, and Vedette needs none: ${extensions.join(', ')}.`);
  return [...faults, ...(await migrationFaults(from, known))];
}

/**
 * The schema of the new database is made by the migrations of this version.
 * @param {Client} from
 * @param {readonly string[]} known
 */
async function migrationFaults(from, known) {
  if ((await ask(from, "select to_regclass('public.migration')")) === null)
    return ['the old database is not one of Vedette: it has no table of migrations.'];
  const done = await list(from, 'select name from migration order by name');
  const [pending, unknown] = [
    known.filter((name) => !done.includes(name)),
    done.filter((name) => !known.includes(name)),
  ];
  if (unknown.length > 0)
    return [`a newer version of Vedette has used the old database (${unknown.join(', ')}): take that one.`];
  return pending.length > 0
    ? ['start this version of Vedette on the old database first: it is not brought up to date.']
    : [];
}

/**
 * @param {Client} from
 * @param {Client} to
 */
async function rightFaults(from, to) {
  const faults = [];
  const rights = 'select rolsuper or rolreplication from pg_roles where rolname = current_user';
  if (!(await ask(from, rights))) faults.push('the user of the old database needs the right REPLICATION.');
  if (!(await ask(to, 'select rolsuper from pg_roles where rolname = current_user')))
    faults.push('the user of the new database must be a superuser during the upgrade: subscriptions need it.');
  return faults;
}

/** @param {Client} to */
async function targetFaults(to) {
  const own = await ask(to, 'select to_regnamespace($1)', [upgradeName]);
  const held = await list(
    to,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'v') order by 1 limit 5",
  );
  return own === null && held.length > 0
    ? [`the new database is not empty (${held.join(', ')} …): make a new one.`]
    : [];
}

/**
 * Where the old database was opened again while the new one was away.
 * @param {Client} from
 * @param {Client} to
 */
async function earlierFaults(from, to) {
  const hasMoved = (await ask(to, `select to_regclass('${upgradeName}.moved')`)) !== null;
  const isSubscribed = await ask(to, 'select true from pg_subscription where subname = $1', [upgradeName]);
  const hasSlot = await ask(from, 'select true from pg_replication_slots where slot_name = $1', [upgradeName]);
  const isLost = hasMoved ? !(await isPaused(from)) : isSubscribed && !hasSlot;
  return isLost ? ['an earlier upgrade into the new database was taken back: make a new one.'] : [];
}
