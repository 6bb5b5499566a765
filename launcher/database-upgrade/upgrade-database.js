// Brings a database onto a PostgreSQL of another major version while Vedette runs on it; each step may be cut off, and the next run goes on there.

import { LaunchError } from '../core/launch-error.js';
import { compareTables, copySequences } from './compare.js';
import { isPaused, pause, resume } from './pause.js';
import { findFaults, versionsOf } from './preconditions.js';
import {
  awaitCopy,
  awaitPosition,
  connectBoth,
  copyPartitions,
  copySchema,
  dropPublication,
  dropSlot,
} from './replicate.js';
import { ask, upgradeName } from './session.js';

/**
 * @typedef {import('./session.js').Client} Client
 *
 * @typedef {object} Upgrade
 * @property {Client} from
 * @property {Client} to
 * @property {string} fromUrl
 * @property {string} root
 * @property {readonly string[]} known migrations of this version
 * @property {boolean} countsOnly
 * @property {AbortSignal} stopping asked between the steps of the pause: it is taken back then
 * @property {(text: string) => void} say
 */

/** @param {Upgrade} upgrade */
export async function checkUpgrade({ from, to, known, say }) {
  const versions = await versionsOf(from, to);
  say(`from PostgreSQL ${versions.old} to ${versions.new}, while Vedette runs:`);
  for (const step of plan) say(`  ${step}`);
  const faults = await findFaults(from, to, known);
  if (faults.length === 0) return;
  throw new LaunchError('upgradeNotReady', `nothing was changed:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
}

const plan = [
  '1. makes the tables in the new database, by the migrations of this version',
  '2. copies all rows, and the changes of meanwhile, by logical replication',
  '3. pauses changes: calls that write are refused as busy (1012), sites go on recording and keep their events',
  '4. copies the sequences, compares each table, and leaves the old database closed to changes',
];

/**
 * @typedef {object} Moved
 * @property {number} tables
 * @property {number} rows
 * @property {number} sequences
 * @property {number} pausedMs since changes were refused; the two others are parts of it
 * @property {number} drainMs until the last change had arrived
 * @property {number} compareMs
 */

/**
 * @param {Upgrade} upgrade
 * @returns {Promise<Moved | null>} null: an earlier run had moved all, and was cut off while it tidied up
 */
export async function upgradeDatabase(upgrade) {
  const { from, to } = upgrade;
  const isMoved = (await ask(to, `select to_regclass('${upgradeName}.moved')`)) !== null;
  const moved = isMoved ? null : await moveAll(upgrade);
  await disconnect(from, to);
  await to.query('analyze');
  return moved;
}

/** @param {Upgrade} upgrade */
async function moveAll(upgrade) {
  const { from, to, fromUrl, root, say } = upgrade;
  await copySchema(from, to, root);
  await copyPartitions(from, to);
  say('the tables are made');
  await connectBoth(from, to, fromUrl);
  say('the copy has begun');
  await awaitCopy(from, to, say);
  say('all rows are copied: pausing changes');
  return await movePaused(upgrade);
}

/**
 * @param {Upgrade} upgrade
 * @returns {Promise<Moved>}
 */
async function movePaused({ from, to, countsOnly, stopping, say }) {
  const begun = performance.now();
  try {
    await awaitPosition(from, to, await pause(from));
    const drained = performance.now();
    say('changes are paused, and the last one has arrived');
    stopping.throwIfAborted();
    await copyPartitions(from, to);
    const sequences = await copySequences(from, to);
    const compared = await compareTables(from, to, countsOnly);
    stopping.throwIfAborted();
    // From here on the new database is the one that counts.
    await to.query(`create table ${upgradeName}.moved ()`);
    const now = performance.now();
    const times = { pausedMs: now - begun, drainMs: drained - begun, compareMs: now - drained };
    say('both databases hold the same');
    return { ...compared, sequences, ...rounded(times) };
  } catch (error) {
    await resume(from);
    if (stopping.aborted)
      throw new LaunchError('upgradeStopped', 'it was stopped in the pause: the old database takes changes again.');
    throw error;
  }
}

/** @param {{ pausedMs: number, drainMs: number, compareMs: number }} times */
function rounded({ pausedMs, drainMs, compareMs }) {
  return { pausedMs: Math.round(pausedMs), drainMs: Math.round(drainMs), compareMs: Math.round(compareMs) };
}

/**
 * The schema that marks an unfinished upgrade goes last.
 * @param {Client} from
 * @param {Client} to
 */
async function disconnect(from, to) {
  await dropSubscription(to);
  await dropSlot(from);
  await dropPublication(from);
  await to.query(`drop schema if exists ${upgradeName} cascade`);
}

/** @param {Client} to */
async function dropSubscription(to) {
  if (!(await ask(to, 'select true from pg_subscription where subname = $1', [upgradeName]))) return;
  await to.query(`alter subscription ${upgradeName} disable`);
  // The slot is dropped at the old database itself, which may be reached when the new one cannot reach it.
  await to.query(`alter subscription ${upgradeName} set (slot_name = none)`);
  await to.query(`drop subscription ${upgradeName}`);
}

/**
 * The new database keeps its rows, and loses the mark that lets an upgrade go on with it: a further one needs an empty database. It may be away.
 * @param {Client} from
 * @param {Client | null} to
 */
export async function takeBack(from, to) {
  if (to !== null) {
    await dropSubscription(to);
    await to.query(`drop schema if exists ${upgradeName} cascade`);
  }
  await dropSlot(from);
  await dropPublication(from);
  const wasPaused = await isPaused(from);
  if (wasPaused) await resume(from);
  return { wasPaused };
}
