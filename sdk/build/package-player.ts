// Makes the npm package `@vedette/player`: the element, what it loads later as files of their own, and its declarations.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { declarationsOf } from './declarations.ts';
import { type PackageOrder, packFolder } from './packed-folder.ts';

/** Files whose types its users see. */
const DECLARED = ['index', 'vedette-player', 'element-types'];

/** Of all scripts but HLS, with gzip. */
const SIZE_MAX = 60_000;
const HLS = 'hls.light.js';

/** @returns the file of the tarball; throws where the scripts have grown too large */
export async function packagePlayer(order: PackageOrder): Promise<string> {
  const source = join(order.root, 'sdk', 'player');
  return await packFolder(order, {
    readme: join(source, 'README.md'),
    write: async (folder) => {
      await writeScripts(order.root, folder);
      refuseLarge(folder);
      for (const [name, text] of declarationsOf({ folder: source, names: DECLARED }))
        writeFileSync(join(folder, name), text);
    },
    manifest: {
      name: '@vedette/player',
      description: 'Live video and recordings of a Vedette server as a custom element',
      exports: { '.': { types: './index.d.ts', default: './index.js' }, './*.js': './*.js' },
      files: ['*.js', '*.d.ts'],
      sideEffects: ['./index.js'],
    },
  });
}

/** No script of the package comes with style sheets, so what Vite wraps around an import to load them ahead is left out. */
const PLAIN_IMPORTS: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: {
    filter: { id: /\0vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

/** Workers and audio worklets lie beside the script, which finds them by its own address. */
async function writeScripts(root: string, folder: string): Promise<void> {
  const output = { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' };
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    base: './',
    plugins: [PLAIN_IMPORTS],
    build: {
      outDir: folder,
      emptyOutDir: false,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2022',
      rolldownOptions: {
        input: { index: join(root, 'sdk', 'player', 'index.ts') },
        preserveEntrySignatures: 'strict',
        output,
      },
    },
    worker: { format: 'es', rolldownOptions: { output } },
  });
}

function refuseLarge(folder: string): void {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== HLS);
  const size = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
  if (size > SIZE_MAX) throw new Error(`the player has ${size} bytes with gzip; ${SIZE_MAX} are allowed`);
}
