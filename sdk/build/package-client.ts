// Makes the npm package `@vedette/client`: one script without dependencies, and its declarations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsOf } from './declarations.ts';
import { type PackageOrder, packFolder } from './packed-folder.ts';
import { writeScript } from './script.ts';

/** Files whose types its users see. */
const DECLARED = ['index', 'call-error', 'connection-state', 'paged-lists', 'vedette-client'];

/**
 * @param callTypes text of `call-types.d.ts`
 * @returns the file of the tarball
 */
export async function packageClient(order: PackageOrder, callTypes: string): Promise<string> {
  const { root } = order;
  const source = join(root, 'sdk', 'client');
  return await packFolder(order, {
    readme: join(source, 'README.md'),
    write: async (folder) => {
      await writeScript({ root, entry: join(source, 'index.ts'), folder });
      const written = { 'call-types': callTypes };
      for (const [name, text] of declarationsOf({ folder: source, names: DECLARED, written }))
        writeFileSync(join(folder, name), text);
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
