// Support bundle: the doctor's answer, settings and ends of the logs in one .tar.gz, without secrets.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { LaunchError, systemCode } from '../core/launch-error.js';
import { run } from '../process/run.js';

const tailBytes = 1024 * 1024;

/**
 * @param {string} file
 * @param {{ patient: import('./finding.js').Patient, diagnosis: import('./examine.js').Diagnosis }} facts
 */
export async function writeSupportBundle(file, { patient, diagnosis }) {
  const contents = {
    'doctor.json': `${JSON.stringify(diagnosis, null, 2)}\n`,
    'settings.json': `${JSON.stringify(settingsOf(patient), null, 2)}\n`,
    ...(await logTails(patient)),
  };
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-support-'));
  try {
    for (const [name, content] of Object.entries(contents)) {
      const target = path.join(work, 'vedette-support', name);
      fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
      fs.writeFileSync(target, content, { mode: 0o600 });
    }
    // Made private first: tar keeps the mode of a file that is there.
    fs.writeFileSync(file, '', { mode: 0o600 });
    const { code, stderr } = await run('tar', ['-czf', file, '-C', work, 'vedette-support'], { cwd: work });
    if (code !== 0) throw new LaunchError('bundleNotWritten', `tar could not write ${file}: ${stderr.trim()}`);
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    throw new LaunchError('bundleNotWritten', `${file} cannot be written (${systemCode(error)}).`, { cause: error });
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Of secrets only whether they are set.
 * @param {import('./finding.js').Patient} patient
 */
function settingsOf({ options, env }) {
  const { databaseUrl, ...others } = options;
  return {
    ...others,
    databaseUrl: databaseUrl === null ? null : 'set',
    masterKeyGiven: (env['VEDETTE_KEY'] ?? '') !== '',
  };
}

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<Record<string, string>>}
 */
async function logTails(patient) {
  const folder = path.join(patient.options.data, 'logs');
  if (!fs.existsSync(folder)) return {};
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.log'));
  const tails = names.map(async (name) => [
    `logs/${name}`,
    await hideSecrets(tailOf(path.join(folder, name)), patient),
  ]);
  return Object.fromEntries(await Promise.all(tails));
}

/**
 * From the first whole line.
 * @param {string} file
 */
function tailOf(file) {
  const handle = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(handle);
    const start = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - start);
    const read = fs.readSync(handle, bytes, 0, bytes.length, start);
    const tail = bytes.subarray(0, read);
    return start === 0 ? tail : tail.subarray(tail.indexOf(10) + 1);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * By the rules that the server shows its log by.
 * @param {Buffer} log
 * @param {import('./finding.js').Patient} patient
 */
async function hideSecrets(log, { root, node, env }) {
  const child = spawn(node, ['server/main-hide-secrets.ts'], {
    cwd: root,
    env: { PATH: env['PATH'] ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(log);
  return text(child.stdout);
}
