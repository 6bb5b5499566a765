// What the database says about its master key: which one it is, and the earlier ones, sealed with it.
import { z } from 'zod';
import { SecretBox } from '../core/secret-box.ts';
import { insertSettingIfAbsent, readSettingLocked } from '../database/account/setting.queries.ts';
import type { Database } from '../database/connection.ts';
import { keyIdOf } from './key-id.ts';
import { opensStored } from './opens-stored.ts';

export const KEY_SETTING = 'master-key';

const KeyRecord = z.object({
  keyId: z.string(),
  /** Oldest first: each sealed with the master key, base64. */
  earlier: z.array(z.object({ keyId: z.string(), sealed: z.string() })),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

/** The secrets of the database are sealed with another master key than this server has. */
export class OtherMasterKey extends Error {
  override readonly name = 'OtherMasterKey';
  readonly ofDatabase: string;
  readonly given: string;

  constructor(ofDatabase: string, given: string) {
    super(`the database has the master key ${ofDatabase}, this server has ${given}`);
    this.ofDatabase = ofDatabase;
    this.given = given;
  }
}

/** Waits for a change of the key that is under way. Undefined where none was written down yet. */
export async function readKeyRecord(database: Database): Promise<KeyRecord | undefined> {
  const stored = await readSettingLocked(database, KEY_SETTING);
  return stored === undefined ? undefined : KeyRecord.parse(stored.value);
}

/** At the start of a server, once its identity is claimed. Answers the earlier keys, oldest first; throws OtherMasterKey. */
export async function claimMasterKey(database: Database, masterKey: Buffer): Promise<Buffer[]> {
  const keyId = keyIdOf(masterKey);
  if ((await readKeyRecord(database)) === undefined) {
    if (!(await opensStored(database, masterKey))) throw new OtherMasterKey('of another installation', keyId);
    await insertSettingIfAbsent(database, KEY_SETTING, { keyId, earlier: [] } satisfies KeyRecord);
  }
  const record = await readKeyRecord(database);
  if (record !== undefined && record.keyId !== keyId) throw new OtherMasterKey(record.keyId, keyId);
  return record === undefined ? [] : openEarlier(record, masterKey);
}

export function openEarlier({ earlier }: KeyRecord, masterKey: Buffer): Buffer[] {
  const box = new SecretBox({ masterKey });
  return earlier.map(({ keyId, sealed }) =>
    Buffer.from(box.open(Buffer.from(sealed, 'base64'), earlierRow(keyId)), 'hex'),
  );
}

export function recordOf(masterKey: Buffer, earlierKeys: readonly Buffer[]): KeyRecord {
  const box = new SecretBox({ masterKey });
  const earlier = earlierKeys.map((key) => {
    const keyId = keyIdOf(key);
    return { keyId, sealed: box.seal(key.toString('hex'), earlierRow(keyId)).toString('base64') };
  });
  return { keyId: keyIdOf(masterKey), earlier };
}

function earlierRow(keyId: string): string {
  return `earlier master key ${keyId}`;
}
