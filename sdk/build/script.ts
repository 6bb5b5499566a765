// One script of a package, with all that it imports.
import { build } from 'vite';

export interface ScriptOrder {
  readonly root: string;
  readonly entry: string;
  /** Where `index.js` is written. */
  readonly folder: string;
}

export async function writeScript({ root, entry, folder }: ScriptOrder): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry, formats: ['es'], fileName: () => 'index.js' },
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'es2022',
    },
  });
}
