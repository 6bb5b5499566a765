// Runs every check of the doctor; a check that breaks is a failure of its own and hides no other.

import { checkCameras } from './check-cameras.js';
import { checkCertificate } from './check-certificate.js';
import { checkClock } from './check-clock.js';
import { checkDatabase } from './check-database.js';
import { checkDisk } from './check-disk.js';
import { checkKey } from './check-key.js';
import { checkPorts } from './check-ports.js';
import { checkPrograms } from './check-programs.js';
import { checkRecordingDisks } from './check-recording-disks.js';
import { failure, worstOf } from './finding.js';

/** @type {Record<string, (patient: import('./finding.js').Patient) => import('./finding.js').Finding[] | Promise<import('./finding.js').Finding[]>>} */
const checks = {
  versions: checkPrograms,
  ports: checkPorts,
  clock: checkClock,
  disk: checkDisk,
  'recording-disks': checkRecordingDisks,
  database: checkDatabase,
  key: checkKey,
  certificate: checkCertificate,
  cameras: checkCameras,
};

/**
 * @typedef {object} Diagnosis
 * @property {string} time ISO 8601
 * @property {boolean} isRunning
 * @property {import('./finding.js').State} state of the worst finding
 * @property {import('./finding.js').Finding[]} findings
 */

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<Diagnosis>}
 */
export async function examine(patient) {
  /** @type {import('./finding.js').Finding[]} */
  const findings = [];
  // One after the other: the speed of the disk is measured alone.
  for (const [name, check] of Object.entries(checks)) findings.push(...(await tried(name, check, patient)));
  const { now, isRunning } = patient;
  return { time: now.toISOString(), isRunning, state: worstOf(findings), findings };
}

/**
 * @param {string} name
 * @param {(typeof checks)[string]} check
 * @param {import('./finding.js').Patient} patient
 */
async function tried(name, check, patient) {
  try {
    return await check(patient);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [failure(name, `This could not be looked at (${reason}).`, 'Report this with a support bundle.')];
  }
}

/**
 * @param {Diagnosis} diagnosis
 * @returns {string} a line for each finding, with what to do below
 */
export function diagnosisText({ findings, isRunning }) {
  const lines = findings.flatMap(({ state, text, advice }) => [
    `${state.padEnd(7)}  ${text}`,
    ...(advice === '' ? [] : [`         → ${advice}`]),
  ]);
  return [`Vedette ${isRunning ? 'runs' : 'does not run'} on this data folder.`, ...lines].join('\n');
}
