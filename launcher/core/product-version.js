// Version of the product, as its package.json says.

import fs from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root
 * @returns {string}
 */
export function productVersion(root) {
  return JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version;
}
