// What an image has beside program and Debian: its user, and how it is run.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';

/** User and group in the image; PostgreSQL refuses a user without a name. */
export const imageUser = 1500;
const program = '/usr/lib/vedette';
const node = `${program}/node_modules/.bin/node`;
const home = '/var/lib/vedette';
const health = `fetch('http://127.0.0.1:' + (process.env.VEDETTE_PORT ?? 8800) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
const secondsAsNs = (/** @type {number} */ seconds) => seconds * 1e9;

/**
 * @param {string} staging
 * @param {string} base tar of the Debian below
 */
export function addImageFiles(staging, base) {
  fs.mkdirSync(path.join(staging, 'etc'));
  addLine(staging, base, {
    name: 'etc/passwd',
    line: `vedette:x:${imageUser}:${imageUser}::${home}:/usr/sbin/nologin`,
  });
  addLine(staging, base, { name: 'etc/group', line: `vedette:x:${imageUser}:` });
}

/**
 * Of the image specification; the health check is Docker's extension of it, which others take from compose.yaml.
 * @param {string} version
 */
export function imageConfig(version) {
  return {
    User: `${imageUser}:${imageUser}`,
    Env: [
      'PATH=/usr/bin:/bin',
      `HOME=${home}`,
      `VEDETTE_DATA=${home}`,
      'VEDETTE_NO_DEMO=1',
      'NODE_COMPILE_CACHE=/tmp/vedette-compile-cache',
    ],
    Entrypoint: [node, `${program}/launcher/start.js`],
    WorkingDir: '/',
    ExposedPorts: { '8800/tcp': {}, '8554/tcp': {} },
    Volumes: { [home]: {} },
    StopSignal: 'SIGTERM',
    Healthcheck: {
      Test: ['CMD', node, '-e', health],
      Interval: secondsAsNs(30),
      Timeout: secondsAsNs(5),
      StartPeriod: secondsAsNs(60),
      Retries: 3,
    },
    Labels: {
      'org.opencontainers.image.title': 'Vedette',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  };
}

/**
 * A layer replaces a file as a whole.
 * @param {string} staging
 * @param {string} base
 * @param {{ name: string, line: string }} addition
 */
function addLine(staging, base, { name, line }) {
  const { stdout, status } = spawnSync('tar', ['-xOf', base, `./${name}`], { encoding: 'utf8' });
  if (status !== 0) throw new LaunchError('notPackaged', `${base} holds no ./${name}: it is no tar of a Debian.`);
  fs.writeFileSync(path.join(staging, name), `${stdout}${line}\n`);
}
