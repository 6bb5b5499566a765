// Doctor: does the data folder take writes, with room and speed enough?

import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../core/launch-error.js';
import { failure, ok, warning } from './finding.js';

const megabyte = 1024 * 1024;
/** The launcher refuses to start below. */
const leastFreeBytes = 64 * megabyte;
const fewFreeBytes = 1024 * megabyte;
const writtenBytes = 16 * megabyte;
const syncs = 16;
/** Sixteen cameras of 8 Mbit/s are 16 MB/s. */
const slowBytesPerSecond = 20 * megabyte;
/** Each recording is synced every second, one after the other on a slow disk. */
const slowSyncMs = 60;

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {import('./finding.js').Finding[]}
 */
export function checkDisk({ options }) {
  const folder = existingFolder(options.data);
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = bavail * bsize;
  if (free < leastFreeBytes) return [full(folder, free)];
  try {
    const speed = measure(folder);
    return [space(folder, free), speedFinding(speed)];
  } catch (error) {
    return [refusal(folder, systemCode(error))];
  }
}

/**
 * Before the first start its parent tells which disk it will be on.
 * @param {string} folder
 */
function existingFolder(folder) {
  let found = folder;
  while (!fs.existsSync(found)) found = path.dirname(found);
  return found;
}

/**
 * @param {string} folder
 * @returns {{ bytesPerSecond: number, syncMs: number }}
 */
function measure(folder) {
  const file = path.join(folder, `.doctor-${process.pid}`);
  const handle = fs.openSync(file, 'w', 0o600);
  try {
    const chunk = Buffer.alloc(megabyte, 0x5a);
    const began = performance.now();
    for (let written = 0; written < writtenBytes; written += chunk.length) fs.writeSync(handle, chunk);
    fs.fdatasyncSync(handle);
    const wrote = performance.now();
    for (let at = 0; at < syncs; at += 1) {
      fs.writeSync(handle, chunk, 0, 4096);
      fs.fdatasyncSync(handle);
    }
    const ended = performance.now();
    return { bytesPerSecond: (writtenBytes * 1000) / (wrote - began), syncMs: (ended - wrote) / syncs };
  } finally {
    fs.closeSync(handle);
    fs.rmSync(file, { force: true });
  }
}

/** @param {{ bytesPerSecond: number, syncMs: number }} speed */
function speedFinding({ bytesPerSecond, syncMs }) {
  const text = `The disk writes ${Math.round(bytesPerSecond / megabyte)} MB/s and syncs in ${syncMs.toFixed(1)} ms.`;
  if (bytesPerSecond >= slowBytesPerSecond && syncMs <= slowSyncMs) return ok('disk-speed', text);
  return warning(
    'disk-speed',
    text,
    'That is slow: record fewer cameras, or use a faster disk. SD cards are too slow.',
  );
}

/**
 * @param {string} folder
 * @param {number} free bytes
 */
function space(folder, free) {
  const text = `${megabytes(free)} MB are free in ${folder}.`;
  if (free >= fewFreeBytes) return ok('disk-space', text);
  return warning('disk-space', text, 'Free some room, or lower the budget of recordings in System.');
}

/**
 * @param {string} folder
 * @param {number} free bytes
 */
function full(folder, free) {
  const advice = 'Free at least 64 MB, or choose another folder with --data DIR.';
  return failure('disk-space', `The disk is full: ${megabytes(free)} MB are free in ${folder}.`, advice);
}

/**
 * @param {string} folder
 * @param {string} code
 */
function refusal(folder, code) {
  if (code === 'ENOSPC' || code === 'EDQUOT') return full(folder, 0);
  const advice = 'Give this user the right to write there, or choose another folder with --data DIR.';
  return failure('disk-space', `${folder} cannot be written (${code}).`, advice);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.floor(bytes / megabyte);
}
