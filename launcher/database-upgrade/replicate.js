// Copies a database while it is written to: schema, publication, subscription, and the partitions that come and go meanwhile.

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../core/launch-error.js';
import { ask, list, tablesOf, upgradeName } from './session.js';

/** @typedef {import('./session.js').Client} Client */

/**
 * By the migrations of this version, all in one transaction: a run that is killed leaves nothing. The schema `vedette_upgrade` marks the
 * database as one that an upgrade may go on with.
 * @param {Client} from
 * @param {Client} to
 * @param {string} root
 */
export async function copySchema(from, to, root) {
  if ((await ask(to, 'select to_regnamespace($1)', [upgradeName])) !== null) return;
  await to.query('begin');
  try {
    await to.query(`create schema ${upgradeName}`);
    // As server/database/migrate.ts makes it.
    await to.query(`create table migration (name text primary key, at timestamptz not null default now(),
      is_additive boolean not null default false)`);
    for (const name of await list(from, 'select name from migration order by name'))
      await to.query(fs.readFileSync(path.join(root, 'server', 'database', 'migrations', name), 'utf8'));
    // Rows of the migrations come from the old database, too; the trigger of the audit log refuses to lose any.
    await to.query('set local session_replication_role = replica');
    await to.query(`truncate ${(await tablesOf(to)).map((table) => to.escapeIdentifier(table)).join(', ')}`);
    await to.query('commit');
  } catch (error) {
    await to.query('rollback');
    throw error;
  }
}

/**
 * @param {Client} from
 * @param {Client} to
 * @param {string} fromUrl as the new database reaches the old one
 */
export async function connectBoth(from, to, fromUrl) {
  if (!(await ask(from, 'select true from pg_publication where pubname = $1', [upgradeName]))) {
    for (const table of await keylessTables(from))
      await from.query(`alter table ${from.escapeIdentifier(table)} replica identity full`);
    const tables = (await tablesOf(from)).map((table) => from.escapeIdentifier(table)).join(', ');
    // Through the root of partitions: a new one needs no change of the publication.
    await from.query(`create publication ${upgradeName} for table ${tables} with (publish_via_partition_root = true)`);
  }
  if (await ask(to, 'select true from pg_subscription where subname = $1', [upgradeName])) return;
  // A slot whose subscription was never finished keeps the log of the old database for ever.
  await dropSlot(from);
  const connection = to.escapeLiteral(fromUrl);
  await to.query(
    `create subscription ${upgradeName} connection ${connection} publication ${upgradeName} with (slot_name = '${upgradeName}')`,
  );
}

/**
 * Published without an identity of their rows, they would refuse changes and deletions.
 * @param {Client} from
 */
function keylessTables(from) {
  return list(
    from,
    `select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relreplident = 'd'
     and not exists (select 1 from pg_index where indrelid = c.oid and indisprimary) order by 1`,
  );
}

/**
 * With the identities that it needed.
 * @param {Client} from
 */
export async function dropPublication(from) {
  await from.query(`drop publication if exists ${upgradeName}`);
  const whole = "select relname from pg_class where relnamespace = 'public'::regnamespace and relreplident = 'f'";
  for (const table of await list(from, whole))
    await from.query(`alter table ${from.escapeIdentifier(table)} replica identity default`);
}

/** @param {Client} from */
export async function dropSlot(from) {
  const held = 'select active_pid from pg_replication_slots where slot_name = $1';
  if (!(await ask(from, 'select true from pg_replication_slots where slot_name = $1', [upgradeName]))) return;
  const pid = await ask(from, held, [upgradeName]);
  if (pid !== null) await from.query('select pg_terminate_backend($1)', [pid]);
  while ((await ask(from, held, [upgradeName])) !== null) await delay(50);
  await from.query('select pg_drop_replication_slot($1)', [upgradeName]);
}

/**
 * Partitions as the old database has them now: the first row of a day needs its own, and retention drops whole ones.
 * @param {Client} from
 * @param {Client} to
 */
export async function copyPartitions(from, to) {
  const sql = `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
  const [old, known] = [(await from.query(sql)).rows, (await to.query(sql)).rows];
  for (const { name, parent, bound } of old.filter((one) => known.every((other) => other.name !== one.name)))
    await to.query(`create table ${to.escapeIdentifier(name)} partition of ${to.escapeIdentifier(parent)} ${bound}`);
  for (const { name } of known.filter((one) => old.every((other) => other.name !== one.name)))
    await to.query(`drop table ${to.escapeIdentifier(name)}`);
}

/**
 * Until every table is copied and the changes of meanwhile are there.
 * @param {Client} from
 * @param {Client} to
 * @param {(text: string) => void} say
 */
export async function awaitCopy(from, to, say) {
  let said = '';
  for (;;) {
    await copyPartitions(from, to);
    const left = await list(
      to,
      "select srrelid::regclass::text from pg_subscription_rel join pg_subscription on oid = srsubid where subname = $1 and srsubstate <> 'r'",
      [upgradeName],
    );
    if (left.length === 0) break;
    const text = `${left.length} tables are being copied`;
    if (text !== said) say(text);
    said = text;
    await delay(200);
  }
  await awaitPosition(from, to, await ask(from, 'select pg_current_wal_lsn()'));
}

/**
 * Until the new database has all changes of the old one up to this position of its log.
 * @param {Client} from
 * @param {Client} to
 * @param {string} position
 */
export async function awaitPosition(from, to, position) {
  const [confirmed, failed] = [
    'select confirmed_flush_lsn >= $2::pg_lsn from pg_replication_slots where slot_name = $1',
    'select apply_error_count from pg_stat_subscription_stats where subname = $1',
  ];
  const before = Number(await ask(to, failed, [upgradeName]));
  while (!(await ask(from, confirmed, [upgradeName, position]))) {
    await copyPartitions(from, to);
    if (Number(await ask(to, failed, [upgradeName])) > before + mostErrors)
      throw new LaunchError(
        'upgradeStuck',
        'the new database cannot take the changes of the old one: its log says why.',
      );
    await delay(20);
  }
}

/** A row of a day whose partition is not there yet fails once, and comes again after `wal_retrieve_retry_interval`. */
const mostErrors = 5;
