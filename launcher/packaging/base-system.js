// The least of Debian that an image needs, made by mmdebstrap from Debian's archive.

import { spawnSync } from 'node:child_process';
import { LaunchError } from '../core/launch-error.js';
import { architecture } from './debian-package.js';

const suite = 'bookworm';
/** Pages of manuals and other languages, which nobody reads in an image. */
const leftOut = '/usr/share/{doc,man,locale,info}/*';

/**
 * Some minutes. Equal as long as Debian's archive is.
 * @param {string} file tar to write
 * @param {{ epoch: number, packages: readonly string[] }} wanted packages: beside those of every Debian
 */
export function makeBaseSystem(file, { epoch, packages }) {
  const args = [
    '--variant=essential',
    `--architectures=${architecture}`,
    `--include=${['ca-certificates', 'libstdc++6', ...packages].join(',')}`,
    `--dpkgopt=path-exclude=${leftOut}`,
    '--aptopt=Apt::Install-Recommends "false"',
    suite,
    file,
  ];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  const { status, error } = spawnSync('mmdebstrap', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error !== undefined)
    throw new LaunchError('mmdebstrapMissing', 'mmdebstrap is not installed.', {
      hint: 'Install it with apt, or name the tar of a Debian with --base.',
    });
  if (status !== 0) throw new LaunchError('notPackaged', `mmdebstrap ended with ${status}.`);
}
