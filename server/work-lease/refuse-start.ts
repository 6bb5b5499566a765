// Ends a server that may not start, with a line on stdout that the launcher shows.
import { writeSync } from 'node:fs';
import { OtherMasterKey } from '../master-key/key-record.ts';
import { NodeNotFit } from '../node-line/node-directory.ts';
import type { NodeRefusalCode } from '../node-line/node-judge.ts';
import { IdentityInUse } from './lease-session.ts';

const STDOUT = 1;

const HINTS: Record<NodeRefusalCode, string> = {
  masterKeyDiffers:
    'Copy keys/master of the first server into the data folder of this one, or give both the same VEDETTE_KEY.',
  clockDiffers: 'Let both machines take their time from the same servers.',
  releaseDiffers: 'Bring one server after the other to the next release, without leaving one out.',
};

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Other errors are thrown on: they end the process with their stack. */
export function refuseStart(error: unknown): never {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  writeSync(STDOUT, `${JSON.stringify({ event: 'failed', ...refusal })}\n`);
  process.exit(1);
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof NodeNotFit) return { ...error.refusal, hint: HINTS[error.refusal.code] };
  if (error instanceof OtherMasterKey) {
    return {
      code: 'otherMasterKey',
      message: `the secrets of this database are sealed with the master key ${error.ofDatabase}; this server has ${error.given}.`,
      hint: 'If the master key was changed at another server, give this one the new key: docs/operations/master-key.md. Else put the right keys/master back.',
    };
  }
  if (!(error instanceof IdentityInUse)) return null;
  return {
    code: 'identityInUse',
    message: `another server with the identity of this data folder (${error.message}) is connected to the database.`,
    hint: 'Servers on one database need a data folder each. In a copied data folder, remove the file node-id before the start.',
  };
}
