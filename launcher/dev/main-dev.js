// Composition root of the development loop: restarts server, site and virtual devices on changes, rebuilds the console.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pinnedNode, root } from '../bootstrap/install.js';
import { runCommand, runInstallation } from '../installation/run-installation.js';

/** An editor writes several files at once. */
const settleMs = 150;

const sources = {
  server: ['server', 'foundation', 'contract', 'rules', 'phrases'],
  site: ['site', 'media', 'drivers', 'protocols', 'foundation', 'contract', 'rules'],
  gateway: ['gateway', 'media', 'protocols', 'foundation', 'contract', 'rules'],
  'virtual-devices': ['virtual-devices', 'protocols'],
};

process.exitCode = await runCommand(['--data', 'data-dev', ...process.argv.slice(2)], (options) => {
  const consoleFolder = path.join(root, '.vedette', 'console-dev');
  fs.mkdirSync(consoleFolder, { recursive: true });
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [
    vite,
    'build',
    'console',
    '--watch',
    '--outDir',
    consoleFolder,
    '--emptyOutDir',
    '--mode',
    'development',
  ];
  const builder = spawn(pinnedNode(), args, { cwd: root, stdio: ['ignore', 2, 2] });
  return runInstallation({ ...options, consoleFolder }, watch).finally(() => builder.kill());
});

/** @param {import('../installation/installation.js').Installation} installation */
function watch(installation) {
  const watchers = Object.entries(sources).flatMap(([name, folders]) => {
    /** @type {NodeJS.Timeout | undefined} */
    let settling;
    /** @param {string | null} file */
    const changed = (file) => {
      if (!/\.(ts|sql)$/.test(file ?? '') || file?.endsWith('.test.ts')) return;
      clearTimeout(settling);
      settling = setTimeout(() => installation.restart(name, file ?? ''), settleMs);
    };
    return folders.map((folder) =>
      fs.watch(path.join(root, folder), { recursive: true }, (_event, file) => changed(file)),
    );
  });
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
