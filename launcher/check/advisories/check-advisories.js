// Runs `npm audit` for shipped packages with a timeout, and evaluates its answer.
import { spawn } from 'node:child_process';
import { acceptedAdvisories } from './accepted-advisories.js';
import { evaluateAdvisories } from './judge-advisories.js';

const ASK_MS = 20_000;
/** Packages of development never run where Vedette runs. */
const ARGS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', `--fetch-timeout=${ASK_MS}`, '--loglevel=silent'];

/**
 * @param {{ tree: string, accepted?: typeof acceptedAdvisories, npm?: string, env?: NodeJS.ProcessEnv, today?: string }} options
 * @returns {Promise<import('./judge-advisories.js').Verdict>}
 */
export async function checkAdvisories({ tree, accepted = acceptedAdvisories, npm = 'npm', env = process.env, today }) {
  const day = today ?? new Date().toISOString().slice(0, 10);
  const ask = async () => evaluateAdvisories(await answerOf(npm, tree, env), accepted, day);
  const verdict = await ask();
  return verdict.isAnswered || !env['CI'] ? verdict : ask();
}

/**
 * Which registry is asked stands in the configuration of whoever runs this.
 * @param {string} npm
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} standard output; empty where npm isn't there or took too long
 */
function answerOf(npm, cwd, env) {
  return new Promise((resolve) => {
    const child = spawn(npm, ARGS, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ASK_MS,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.once('error', () => resolve(''));
    child.once('close', (_, signal) => resolve(signal === null ? text : ''));
  });
}
