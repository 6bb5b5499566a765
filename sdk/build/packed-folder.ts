// Makes the tarball of an npm package: what a builder wrote into a folder, its manifest, its description and the licence.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PackageOrder {
  readonly root: string;
  /** Where the tarball is put. */
  readonly into: string;
}

export interface PackageContents {
  /** Beside version and licence, which are the product's. */
  readonly manifest: { readonly name: string; readonly description: string; readonly [field: string]: unknown };
  readonly readme: string;
  /** Writes scripts and declarations into the folder. */
  readonly write: (folder: string) => Promise<void>;
}

/** @returns the file of the tarball */
export async function packFolder(
  { root, into }: PackageOrder,
  { manifest, readme, write }: PackageContents,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-sdk-'));
  try {
    await write(folder);
    const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
    const { name, ...others } = manifest;
    const whole = { name, version, license, type: 'module', ...others };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
    copyFileSync(readme, join(folder, 'README.md'));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(into, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', into];
    return join(into, execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
