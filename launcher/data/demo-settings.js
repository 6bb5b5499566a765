// Stores ports and password of the demo's virtual devices, so that cameras keep their addresses over restarts.

import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { writeAtomically } from '../core/write-atomically.js';

/** Enough for the devices of the demo and their control port, one after the other. */
const run = 32;
/** Below the ephemeral ports of the operating system. */
const lowest = 20_000;
const highest = 32_000;

/**
 * `discoveryPort`, for UDP, is the last of the run.
 * @typedef {{ port: number, password: string, discoveryPort: number }} DemoSettings
 */

/**
 * @param {string} file
 * @param {(text: string) => void} say
 * @returns {Promise<DemoSettings>}
 */
export async function demoSettings(file, say) {
  const known = read(file);
  if (known && (await areFree(known.port))) return withDiscovery(known);
  if (known)
    say(
      `the ports ${known.port} to ${known.port + run - 1} of the demo cameras are taken: they move, and show as offline until added again`,
    );
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = lowest + run * randomInt((highest - lowest) / run);
    if (!(await areFree(port))) continue;
    const place = { port, password: known?.password ?? randomBytes(12).toString('base64url') };
    writeAtomically(file, JSON.stringify(place));
    return withDiscovery(place);
  }
  throw new Error(`no ${run} free ports in a row between ${lowest} and ${highest}`);
}

/** @param {{ port: number, password: string }} place */
function withDiscovery(place) {
  return { ...place, discoveryPort: place.port + run - 1 };
}

/**
 * @param {string} file
 * @returns {{ port: number, password: string } | null}
 */
function read(file) {
  if (!fs.existsSync(file)) return null;
  const { port, password } = JSON.parse(fs.readFileSync(file, 'utf8'));
  return Number.isInteger(port) && typeof password === 'string' ? { port, password } : null;
}

/** @param {number} first */
async function areFree(first) {
  const answers = await Promise.all(Array.from({ length: run }, (_, index) => isFree(first + index)));
  return answers.every((free) => free);
}

/** @param {number} port */
async function isFree(port) {
  const server = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false; // taken: that is the answer
  }
  server.close();
  await once(server, 'close');
  return true;
}
