// Program that seals the secrets of the database and of the plan of backups with another master key, and prints as one JSON object how many.
import { parseArgs } from 'node:util';
import { openDatabase } from './database/connection.ts';
import { withoutStatementTimeout } from './database/request-deadline.ts';
import { OtherMasterKey } from './master-key/key-record.ts';
import { resealDatabase, ServersConnected, tryReseal } from './master-key/reseal-database.ts';
import { resealPlanFile } from './master-key/reseal-plan-file.ts';
import { Resealer } from './master-key/resealer.ts';

/** `check`: changes nothing, and says what could not be read. */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { DATABASE_URL: url = '', VEDETTE_DATA: data = '', VEDETTE_KEY: from, VEDETTE_NEW_KEY: to } = process.env;
const keys = { from: keyIn(from), to: keyIn(to) };
const { database, pool } = openDatabase({ url, onError: () => undefined });
try {
  const change = values.check ? tryReseal : resealDatabase;
  const { count, unreadable } = await withoutStatementTimeout(() => change(database, keys));
  const resealer = new Resealer(keys);
  if (!values.check) await resealPlanFile(data, resealer);
  const lost = [...unreadable, ...resealer.unreadable];
  say({ event: 'resealed', count: count + resealer.count, unreadable: lost });
} catch (error) {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  say({ event: 'failed', ...refusal });
  process.exitCode = 1;
} finally {
  await database.destroy().catch(() => pool.end());
}

function say(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function refusalOf(error: unknown) {
  if (error instanceof ServersConnected) {
    const message = 'a server is connected to this database; it would go on with the old master key.';
    return { code: 'serversConnected', message, hint: 'Stop every server on this database first.' };
  }
  if (!(error instanceof OtherMasterKey)) return null;
  const hint = 'Give the master key of this database: the file keys/master, or VEDETTE_KEY.';
  return { code: 'otherMasterKey', message: `${error.message}.`, hint };
}

function keyIn(text = ''): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('a master key is not 64 hexadecimal digits');
  return Buffer.from(text, 'hex');
}
