// Backups in a folder of another disk or machine that is mounted here.

import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Ends the name of a file that is being written. */
const unfinished = '.part';

/** @implements {BackupStore} */
export class FolderStore {
  /** @param {string} folder absolute */
  constructor(folder) {
    this.place = folder;
  }

  /** @param {string} name */
  pathOf(name) {
    return path.join(this.place, name);
  }

  async prepare() {
    fs.mkdirSync(this.place, { recursive: true, mode: 0o700 });
  }

  async folders() {
    const entries = fs.existsSync(this.place) ? fs.readdirSync(this.place, { withFileTypes: true }) : [];
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  }

  /** @param {string} folder */
  async files(folder) {
    const at = this.pathOf(folder);
    const names = fs.existsSync(at) ? fs.readdirSync(at).toSorted() : [];
    return names
      .filter((name) => !name.endsWith(unfinished))
      .map((name) => ({ name, bytes: fs.statSync(path.join(at, name)).size }));
  }

  /** @param {string} file */
  async has(file) {
    return fs.existsSync(this.pathOf(file));
  }

  /**
   * @param {string} file
   * @param {AsyncIterable<Buffer> | Iterable<Buffer>} source
   */
  async write(file, source) {
    const target = this.pathOf(file);
    const part = `${target}${unfinished}`;
    // Not made with its parents: where the disk of the backups is not mounted, its folder lacks.
    if (!fs.existsSync(path.dirname(target))) fs.mkdirSync(path.dirname(target), { mode: 0o700 });
    await pipeline(source, fs.createWriteStream(part, { mode: 0o600, flush: true }));
    fs.renameSync(part, target);
    syncFolder(path.dirname(target));
  }

  /** @param {string} file */
  read(file) {
    return fs.createReadStream(this.pathOf(file));
  }

  /** @param {string} file */
  async removeFile(file) {
    fs.rmSync(this.pathOf(file), { force: true });
  }

  /** @param {string} folder */
  async removeFolder(folder) {
    fs.rmSync(this.pathOf(folder), { recursive: true, force: true });
  }
}

/** @param {string} folder */
function syncFolder(folder) {
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** @typedef {import('./backup-store.js').BackupStore} BackupStore */
