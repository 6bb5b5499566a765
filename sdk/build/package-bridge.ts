// Makes the npm package `@vedette/bridge`: one script without dependencies, and its declarations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsOf } from './declarations.ts';
import { type PackageOrder, packFolder } from './packed-folder.ts';
import { writeScript } from './script.ts';

/**
 * @param topicTypes text of `topic-types.d.ts`
 * @returns the file of the tarball
 */
export async function packageBridge(order: PackageOrder, topicTypes: string): Promise<string> {
  const { root } = order;
  const source = join(root, 'sdk', 'bridge');
  return await packFolder(order, {
    readme: join(source, 'README.md'),
    write: async (folder) => {
      await writeScript({ root, entry: join(source, 'index.ts'), folder });
      const written = { 'topic-types': topicTypes };
      for (const [name, text] of declarationsOf({ folder: source, names: ['index', 'bridge-types'], written }))
        writeFileSync(join(folder, name), text);
    },
    manifest: {
      name: '@vedette/bridge',
      description: 'Messages between the Vedette console and a shell or page around it',
      engines: { node: '>=22' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      files: ['*.js', '*.d.ts'],
      sideEffects: false,
    },
  });
}
