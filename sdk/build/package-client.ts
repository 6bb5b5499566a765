// Makes the npm package `@vedette/client`: one script without dependencies, and its declarations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { clientDeclarations } from './client-declarations.ts';
import { type PackageOrder, packFolder } from './packed-folder.ts';

/** @returns the file of the tarball */
export async function packageClient(order: PackageOrder): Promise<string> {
  const { root } = order;
  return await packFolder(order, {
    readme: join(root, 'sdk', 'client', 'README.md'),
    write: async (folder) => {
      await writeScript(root, folder);
      for (const [name, text] of clientDeclarations(root)) writeFileSync(join(folder, name), text);
    },
    manifest: {
      name: '@vedette/client',
      description: 'Calls and events of a Vedette server, typed',
      engines: { node: '>=22' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      files: ['*.js', '*.d.ts'],
      sideEffects: false,
    },
  });
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
