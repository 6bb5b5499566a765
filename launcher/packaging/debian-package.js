// Makes a Debian package of a staged program: control files, service, and equal bytes for equal sources.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { sourceEpoch } from './source-epoch.js';
import { copy } from './stage-program.js';

const architectures = /** @type {Record<string, string>} */ ({ x64: 'amd64', arm64: 'arm64' });
const debian = path.join(import.meta.dirname, 'debian');

/** As Debian calls this processor. */
export const architecture = architectures[process.arch] ?? process.arch;

/**
 * @param {string} staging
 * @param {{ root: string, version: string }} facts
 */
export function addDebianFiles(staging, { root, version }) {
  const control = path.join(staging, 'DEBIAN');
  fs.mkdirSync(control);
  const { stdout } = spawnSync('du', ['-sk', '--apparent-size', path.join(staging, 'usr')], { encoding: 'utf8' });
  fs.writeFileSync(
    path.join(control, 'control'),
    `Package: vedette
Version: ${version}
Architecture: ${architecture}
Maintainer: The Vedette authors
Installed-Size: ${Number.parseInt(stdout, 10)}
Depends: adduser, libc6, libstdc++6, util-linux
Recommends: ffmpeg
Section: video
Priority: optional
Description: video surveillance that people run themselves
 Watches, records and shares cameras and recorders, in a web console.
`,
  );
  fs.writeFileSync(path.join(control, 'conffiles'), '/etc/default/vedette\n');
  for (const name of ['postinst', 'prerm', 'postrm']) {
    copy(path.join(debian, name), path.join(control, name));
    fs.chmodSync(path.join(control, name), 0o755);
  }
  copy(path.join(debian, 'vedette.service'), path.join(staging, 'usr/lib/systemd/system/vedette.service'));
  copy(path.join(debian, 'default'), path.join(staging, 'etc/default/vedette'));
  copy(path.join(root, 'LICENSE'), path.join(staging, 'usr/share/doc/vedette/copyright'));
  copy(path.join(root, 'README.md'), path.join(staging, 'usr/share/doc/vedette/README.md'));
}

/**
 * Times are those of the last commit.
 * @param {string} staging
 * @param {{ root: string, file: string }} to
 */
export function pack(staging, { root, file }) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(sourceEpoch(root)) };
  // Group and world may read and run, nobody but root may write.
  spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', staging]);
  const args = ['--root-owner-group', '-Zzstd', '-z9', '--build', staging, file];
  const { status, stderr } = spawnSync('dpkg-deb', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new LaunchError('notPackaged', `dpkg-deb ended with ${status}: ${stderr?.trim()}`);
}
