// Lock of the data folder: it exists, is writable, and is used by one Vedette alone.

import fs from 'node:fs';
import path from 'node:path';
import { LaunchError, systemCode } from '../core/launch-error.js';
import { identify, isStillRunning, pidNamespace } from '../process/identity.js';

const lockName = 'vedette.lock';
/** PostgreSQL and the set-up of a fresh folder need some room before the disk rules of the recorder begin. */
const leastFreeBytes = 64 * 1024 * 1024;
/** A lock of another machine or container is believed while it is touched at least this often. */
const foreignLockMs = 15_000;
export const lockTouchMs = 5_000;

/**
 * Makes the folder when it is missing, proves that it takes writes, and takes the lock.
 * @param {string} folder
 * @returns {{ touch: () => void, release: () => void }}
 */
export function lockDataFolder(folder) {
  try {
    makeFolder(folder);
    // Looked at before the probe: a running instance's folder is named as such even when it is full.
    refuseWhenInUse(folder);
    probeWrite(folder);
    return takeLock(folder);
  } catch (error) {
    throw explain(error, folder);
  }
}

/**
 * Step by step instead of `recursive`, with which Node tries for ever where the system answers ENOENT (below /proc).
 * @param {string} folder
 */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** @param {string} folder */
function probeWrite(folder) {
  const file = path.join(folder, `.probe-${process.pid}`);
  try {
    const handle = fs.openSync(file, 'w', 0o600);
    try {
      fs.writeSync(handle, Buffer.alloc(64 * 1024, 1));
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } finally {
    fs.rmSync(file, { force: true });
  }
  const { bavail, bsize } = fs.statfsSync(folder);
  if (bavail * bsize < leastFreeBytes) throw full(folder);
}

/** @param {string} folder */
function takeLock(folder) {
  const file = path.join(folder, lockName);
  const mine = JSON.stringify({ ...identify(process.pid), namespace: pidNamespace() });
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, mine, { mode: 0o600 });
  try {
    linkUnlessTaken(own, file, folder);
  } finally {
    fs.rmSync(own, { force: true });
  }
  return {
    touch: () => fs.utimesSync(file, new Date(), new Date()),
    release: () => {
      if (readIfThere(file) === mine) fs.rmSync(file, { force: true });
    },
  };
}

/**
 * link(2) is the test and the taking in one step, so that of two starters exactly one wins.
 * @param {string} own
 * @param {string} file
 * @param {string} folder
 */
function linkUnlessTaken(own, file, folder) {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      fs.linkSync(own, file);
      return;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    refuseWhenInUse(folder);
    const aside = `${file}.stale-${process.pid}`;
    try {
      fs.renameSync(file, aside);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
    fs.rmSync(aside, { force: true });
  }
  throw inUse(folder);
}

/** @param {string} folder */
function refuseWhenInUse(folder) {
  const holder = findHolder(folder);
  if (holder !== null && holder.pid !== process.pid) throw inUse(folder, holder.pid ?? undefined);
}

/**
 * @param {string} folder
 * @returns {{ pid: number | null } | null} the Vedette that uses the folder; its pid where it runs on this machine, null where nobody uses it
 */
export function findHolder(folder) {
  const file = path.join(folder, lockName);
  const text = readIfThere(file);
  if (text === null) return null;
  /** @type {{ pid?: number, startTime?: string, namespace?: string } | null} */
  let holder;
  try {
    holder = JSON.parse(text);
  } catch {
    return null; // cut off by a power loss while it was written: nobody holds it
  }
  if (typeof holder?.pid !== 'number' || typeof holder.startTime !== 'string') return null;
  if (holder.namespace === pidNamespace()) {
    return isStillRunning({ pid: holder.pid, startTime: holder.startTime }) ? { pid: holder.pid } : null;
  }
  const age = Date.now() - fs.statSync(file).mtimeMs;
  return age >= 0 && age < foreignLockMs ? { pid: null } : null;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {number} [pid]
 */
function inUse(folder, pid) {
  const who = pid === undefined ? 'another Vedette' : `another Vedette (process ${pid})`;
  return new LaunchError('dataFolderInUse', `${folder} is in use by ${who}.`, {
    hint: 'Stop it first, or choose another folder with --data DIR.',
  });
}

/** @param {string} folder */
function full(folder) {
  return new LaunchError('dataFolderFull', `there is no room left in ${folder}.`, {
    hint: 'Free at least 64 MB, or choose another folder with --data DIR. Nothing was changed.',
  });
}

/**
 * @param {unknown} error
 * @param {string} folder
 */
function explain(error, folder) {
  if (error instanceof LaunchError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return full(folder);
  const notWritable = ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(code);
  if (!notWritable) return error;
  return new LaunchError('dataFolderReadOnly', `${folder} cannot be written (${code}).`, {
    hint: 'Give this user the right to write there, or choose another folder with --data DIR.',
    cause: error,
  });
}
