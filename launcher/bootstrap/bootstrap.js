// Runs an entry point on the pinned Node from any host Node (20 or newer), installing first when needed.

import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, pinnedNode, root } from './install.js';
import { describeLaunchError, LaunchError } from '../core/launch-error.js';

/**
 * @param {string} entry path of the module to run, relative to launcher/
 */
export async function runPinned(entry) {
  try {
    ensureInstalled();
    const node = pinnedNode();
    const file = path.join(root, 'launcher', entry);
    if (realpathSync(node) === realpathSync(process.execPath)) await import(file);
    else become(node, [file, ...process.argv.slice(2)]);
  } catch (error) {
    process.stderr.write(`${describeLaunchError(error)}\n`);
    process.exitCode = error instanceof LaunchError ? error.exitCode : 1;
  }
}

/**
 * Replaces this process where the system and Node can do it; else stands by, passes signals on and ends as the child ends.
 * @param {string} node
 * @param {string[]} args
 */
function become(node, args) {
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], stringEnvironment());
  const child = spawn(node, args, {
    // The open pipe tells the child that this process was killed; it never carries a byte. It is the child's alone:
    // what the child starts inherits the variable, but has another parent.
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, VEDETTE_PARENT_PIPE: String(process.pid) },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${describeLaunchError(error)}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}

function stringEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter((pair) => pair[1] !== undefined));
}
