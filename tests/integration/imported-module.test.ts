// A module of the operator's is loaded first by server, site and gateway, and gets the variables of OpenTelemetry.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Product } from '../harness/product.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-test-import-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a module that the environment names is in each process of the product, and in no other', async () => {
  const [hook, file] = [join(folder, 'a hook.mjs'), join(folder, 'loaded')];
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs';
     import { isMainThread } from 'node:worker_threads';
     const line = process.argv[1] + ' ' + process.env.OTEL_SERVICE_NAME + '\\n';
     if (isMainThread) appendFileSync(process.env.VEDETTE_TEST_LOADED, line);`,
  );
  const env = { VEDETTE_IMPORT: hook, VEDETTE_TEST_LOADED: file, OTEL_SERVICE_NAME: 'recorder' };
  const product = await Product.start({ env });
  try {
    const loaded = (await readFile(file, 'utf8')).trim().split('\n');
    const mains = new Set(loaded.map((line) => basename(line)));
    for (const name of ['main-server.ts', 'main-site.ts', 'main-gateway.ts'])
      expect(mains).toContain(`${name} recorder`);
    expect(loaded.filter((line) => line.includes('launcher'))).toEqual([]);
  } finally {
    await product.stop();
  }
}, 60_000);
