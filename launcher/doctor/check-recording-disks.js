// Doctor: are all recording disks there, with room?

import fs from 'node:fs';
import path from 'node:path';
import { failure, ok, warning } from './finding.js';

const megabyte = 1024 * 1024;
const fewFreeBytes = 256 * megabyte;

/**
 * The site writes down which disks it records to, and marks each of them. Before it ran there are none.
 * @param {import('./finding.js').Patient} patient
 * @returns {import('./finding.js').Finding[]}
 */
export function checkRecordingDisks({ options }) {
  return foldersOf(path.join(options.data, 'site', 'recording-disks.json')).map(findingOf);
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function foldersOf(file) {
  if (!fs.existsSync(file)) return [];
  /** @type {unknown} */
  const pages = JSON.parse(fs.readFileSync(file, 'utf8'));
  return typeof pages === 'object' && pages !== null ? Object.keys(pages) : [];
}

/**
 * @param {string} folder
 * @returns {import('./finding.js').Finding}
 */
function findingOf(folder) {
  if (!fs.existsSync(path.join(folder, 'vedette-storage.json'))) {
    return failure(
      'recording-disk',
      `The recording disk at ${folder} is not there.`,
      'Mount it there again: its recordings are kept. If it is lost, remove it under System, Storage.',
    );
  }
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const text = `The recording disk at ${folder} is there, with ${free} MB free.`;
  if (bavail * bsize >= fewFreeBytes) return ok('recording-disk', text);
  return warning('recording-disk', text, 'Raise the reserved space under System, Storage, or remove other files.');
}
