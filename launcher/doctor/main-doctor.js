// Composition root of `npm run doctor`.

import { pinnedNode, root } from '../bootstrap/install.js';
import { findHolder } from '../data/data-folder.js';
import { runCommand } from '../installation/run-installation.js';
import { doctorUsage, readDoctorOptions } from '../options/doctor-options.js';
import { writeSupportBundle } from './support-bundle.js';
import { diagnosisText, examine } from './examine.js';

process.exitCode = await runCommand(process.argv.slice(2), doctor, {
  read: readDoctorOptions,
  usage: doctorUsage,
  verb: 'examine',
});

/** @param {import('../options/doctor-options.js').DoctorOptions} options */
async function doctor({ json, bundle, ...options }) {
  const isRunning = findHolder(options.data) !== null;
  const patient = { root, node: pinnedNode(), env: process.env, options, isRunning, now: new Date() };
  const diagnosis = await examine(patient);
  process.stdout.write(`${json ? JSON.stringify(diagnosis) : diagnosisText(diagnosis)}\n`);
  if (bundle !== null) {
    await writeSupportBundle(bundle, { patient, diagnosis });
    process.stderr.write(`The support bundle is ${bundle}.\n`);
  }
  return diagnosis.state === 'failure' ? 1 : 0;
}
