// Makes the npm package `@vedette/client`: one script without dependencies, its declarations, a description and the licence.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { clientDeclarations } from './client-declarations.ts';

export interface PackageOrder {
  readonly root: string;
  /** Where the tarball is put. */
  readonly into: string;
}

/** @returns the file of the tarball */
export async function packageClient({ root, into }: PackageOrder): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-sdk-'));
  try {
    await writeScript(root, folder);
    for (const [name, text] of clientDeclarations(root)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(root), null, 2)}\n`);
    copyFileSync(join(root, 'sdk', 'client', 'README.md'), join(folder, 'README.md'));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(into, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', into];
    return join(into, execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeScript(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry: join(root, 'sdk', 'client', 'index.ts'), formats: ['es'], fileName: () => 'index.js' },
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'es2022',
    },
  });
}

function manifest(root: string): object {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  return {
    name: '@vedette/client',
    version,
    description: 'Calls and events of a Vedette server, typed',
    license,
    type: 'module',
    engines: { node: '>=22' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    files: ['*.js', '*.d.ts'],
    sideEffects: false,
  };
}
