// Composition root of `npm run master-key`: seals every stored secret of a stopped installation, or of a stopped site, with a new master key.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readMasterKey, writeRecoveryKey } from './backup/recovery-key.js';
import { pinnedNode, root } from './bootstrap/install.js';
import { LaunchError } from './core/launch-error.js';
import { lockDataFolder } from './data/data-folder.js';
import { isKey } from './data/master-key.js';
import { makeRunFolder } from './data/run-folder.js';
import { runCommand } from './installation/run-installation.js';
import { keyOfChange, noteKeyChange, readKeyChange } from './master-key/change-file.js';
import { findUnreadable, finishKeyChange } from './master-key/finish-key-change.js';
import { masterKeyUsage, readMasterKeyOptions } from './options/master-key-options.js';
import { findPostgres } from './postgres/binaries.js';
import { openCluster } from './postgres/cluster.js';
import { openOrphanRegistry } from './process/orphan-registry.js';

const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
const command = { read: readMasterKeyOptions, usage: masterKeyUsage, verb: 'change the master key' };
process.exitCode = await runCommand(process.argv.slice(2), run, command);

/** @param {import('./options/master-key-options.js').MasterKeyOptions} options */
async function run(options) {
  const { data, oldKey } = options;
  const hasCluster = fs.existsSync(path.join(data, 'postgres'));
  if (!hasCluster && options.databaseUrl === null && !fs.existsSync(path.join(data, 'site')))
    throw new LaunchError('nothingToChange', `${data} is the data folder of no installation.`, {
      hint: 'Name it with --data DIR, and the database with DATABASE_URL.',
    });
  const lock = lockDataFolder(data);
  try {
    await openOrphanRegistry(makeRunFolder(data)).endOld();
    const from = readMasterKey(data, oldKey ?? undefined);
    const usesCluster = options.databaseUrl === null && hasCluster;
    const order = { root, node: pinnedNode(), data, from, isKept: oldKey === null, say };
    const { to, count } = usesCluster
      ? await withCluster(data, (databaseUrl) => change({ ...order, databaseUrl }, options))
      : await change({ ...order, databaseUrl: options.databaseUrl }, options);
    process.stdout.write(`${JSON.stringify({ event: 'masterKeyChanged', count })}\n`);
    tellKit(to, data, hasCluster || options.databaseUrl !== null);
    return 0;
  } finally {
    lock.release();
  }
}

/**
 * @param {Omit<import('./master-key/finish-key-change.js').KeyChangeOrder, 'to'>} order
 * @param {import('./options/master-key-options.js').MasterKeyOptions} options
 */
async function change(order, { newKey, leavesUnreadable }) {
  const begun = readKeyChange(order.data);
  if (begun !== null) {
    say('a change of the master key was cut off: it goes on');
    const to = keyOfChange(begun, newKey);
    return { to, count: await finishKeyChange({ ...order, to }) };
  }
  const to = newKey ?? randomBytes(32).toString('hex');
  if (!isKey(to))
    throw new LaunchError('masterKeyInvalid', 'VEDETTE_NEW_KEY must be 64 hexadecimal digits (32 bytes).');
  if (to.toLowerCase() === order.from.toLowerCase())
    throw new LaunchError('masterKeySame', 'the new master key is the old one.', {
      hint: 'Give another one, or none.',
    });
  const unreadable = await findUnreadable({ ...order, to });
  if (unreadable.length > 0 && !leavesUnreadable)
    throw new LaunchError(
      'secretsUnreadable',
      `${unreadable.length} stored secrets cannot be read with the old key, such as ${unreadable[0]}.`,
      { hint: 'Nothing was changed. With --leave-unreadable they stay as they are.' },
    );
  noteKeyChange(order.data, to, order.isKept);
  say('the change has begun');
  return { to, count: await finishKeyChange({ ...order, to }) };
}

/**
 * @param {string} to
 * @param {string} data
 * @param {boolean} hasBackups
 */
function tellKit(to, data, hasBackups) {
  if (!hasBackups) return say('the master key of this site is a new one.');
  say('write the new recovery key down; it opens the backups that are made from now on:');
  process.stdout.write(`${writeRecoveryKey(to)}\n`);
  say(
    `keep the old one with the backups that were made before${fs.existsSync(path.join(data, 'before-upgrade')) ? ', also with before-upgrade' : ''}: only it opens them.`,
  );
}

/**
 * @template T
 * @param {string} data
 * @param {(databaseUrl: string) => Promise<T>} work
 */
async function withCluster(data, work) {
  const cluster = openCluster({
    programs: findPostgres(root),
    clusterFolder: path.join(data, 'postgres'),
    runFolder: makeRunFolder(data),
    log: (line) => say(line),
    onPid: () => undefined,
    stopping: new AbortController().signal,
  });
  try {
    await cluster.start();
    return await work(cluster.url);
  } finally {
    await cluster.process.end();
  }
}
