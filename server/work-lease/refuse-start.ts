// Ends a server that may not start, with a line on stdout that the launcher shows.
import { writeSync } from 'node:fs';
import { IdentityInUse } from './lease-session.ts';

const STDOUT = 1;

/** Other errors are thrown on: they end the process with their stack. */
export function refuseStart(error: unknown): never {
  if (!(error instanceof IdentityInUse)) throw error;
  const refusal = {
    event: 'failed',
    code: 'identityInUse',
    message: `another server with the identity of this data folder (${error.message}) is connected to the database.`,
    hint: 'Servers on one database need a data folder each. In a copied data folder, remove the file node-id before the start.',
  };
  writeSync(STDOUT, `${JSON.stringify(refusal)}\n`);
  process.exit(1);
}
