// Composition root of `npm run release`: signs the files of a folder, or verifies who signed them.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../bootstrap/install.js';
import { LaunchError } from '../core/launch-error.js';
import { runCommand } from '../installation/run-installation.js';
import { signRelease, verifyRelease } from './release-signature.js';

const usage = `Usage: npm run release -- sign --key FILE [FOLDER]
       npm run release -- verify --key FILE [FOLDER]

  sign     writes SHA256SUMS and SHA256SUMS.sig for the files of FOLDER, default ./dist; FILE is the private key of the publisher
  verify   refuses a release that differs in one byte from what was signed; FILE is the public key of the publisher

Keys are Ed25519 in PEM: openssl genpkey -algorithm ed25519 -out publisher.pem
                         openssl pkey -in publisher.pem -pubout -out publisher.pub.pem`;

const steps = { sign: signRelease, verify: verifyRelease };

/** @typedef {{ step: keyof typeof steps, key: string, folder: string }} ReleaseOptions */

process.exitCode = await runCommand(process.argv.slice(2), run, { read, usage, verb: 'sign or verify' });

/**
 * @param {string[]} args
 * @returns {ReleaseOptions | 'help'}
 */
function read(args) {
  const options = /** @type {const} */ ({ key: { type: 'string' }, help: { type: 'boolean' } });
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
  const [step = '', folder = 'dist'] = positionals;
  if (values.help) return 'help';
  if (!(step === 'sign' || step === 'verify') || values.key === undefined)
    throw new LaunchError('wrongOptions', 'say sign or verify, and the file of the key.', { exitCode: 2 });
  return { step, key: path.resolve(root, values.key), folder: path.resolve(root, folder) };
}

/** @param {ReleaseOptions} options */
async function run({ step, key, folder }) {
  const files = steps[step](folder, key);
  process.stdout.write(`${JSON.stringify({ event: step === 'sign' ? 'signed' : 'verified', folder, files })}\n`);
  return 0;
}
