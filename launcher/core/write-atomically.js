// Writes a small file atomically: after a power cut there is the old one or the new one.

import fs from 'node:fs';
import path from 'node:path';

/**
 * @param {string} file
 * @param {string} text
 * @param {number} [mode]
 */
export function writeAtomically(file, text, mode = 0o600) {
  const aside = `${file}.new`;
  fs.writeFileSync(aside, text, { mode, flush: true });
  fs.renameSync(aside, file);
  const folder = fs.openSync(path.dirname(file), 'r');
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}
