// A second server process on the database of another one, with a folder of sockets and a data folder of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { ServerUnderTest } from '../contract/server-under-test.ts';

/** Stops with `end` and `stop`; the database stays. `env`: such as the data folder of the first one. */
export async function serverBeside(
  first: ServerUnderTest,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerUnderTest> {
  const folder = mkdtempSync('/tmp/vdt-');
  const stop = () => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
  const database = { url: first.database.url, folder, stop };
  return await ServerUnderTest.over(database, { VEDETTE_KEY: first.masterKey, ...env });
}
