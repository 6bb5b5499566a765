// Starts the virtual devices: the demo scenario, or with `--scale N` bare cameras for benches. JavaScript, so that nothing is stripped before the cache is there.

import { enableCompileCache, getCompileCacheDir } from 'node:module';

// A process that need not strip and compile its TypeScript starts sooner and is smaller. Functions from the cache are counted less exactly.
if (process.env['NODE_V8_COVERAGE'] === undefined) {
  // Beside the packages: who may write there may change the code anyway. Where it cannot be written, the start is slower and that is all.
  enableCompileCache(new URL('../node_modules/.cache/vedette-virtual-devices/', import.meta.url).pathname);
  const folder = getCompileCacheDir();
  // Threads take it from the environment.
  if (folder !== undefined) process.env['NODE_COMPILE_CACHE'] = folder;
}

await import('./run-virtual-devices.ts');
