// Reads and writes verification codes and used proofs: each attempt and use is one statement, so that parallel ones never win twice.
import type { Database } from '../connection.ts';

export interface CodeKey {
  readonly purpose: string;
  readonly target: string;
  /** Empty unless the code belongs to an account. */
  readonly accountId: string;
}

/** Replaces an earlier code of the same purpose and target. */
export async function storeCode(
  database: Database,
  key: CodeKey,
  code: { codeHash: Buffer; expiresAt: number },
): Promise<void> {
  const fresh = { code_hash: code.codeHash, expires_at: code.expiresAt, tries: 0 };
  await database
    .insertInto('verify_code')
    .values({ purpose: key.purpose, target: key.target, account_id: key.accountId, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'target', 'account_id']).doUpdateSet(fresh))
    .execute();
}

/** Counts one attempt; returns the stored hash, or undefined without a code or attempts left. */
export async function tryCode(
  database: Database,
  key: CodeKey,
  limits: { tries: number; now: number },
): Promise<Buffer | undefined> {
  const row = await database
    .updateTable('verify_code')
    .set((expression) => ({ tries: expression('tries', '+', 1) }))
    .where('purpose', '=', key.purpose)
    .where('target', '=', key.target)
    .where('account_id', '=', key.accountId)
    .where('tries', '<', limits.tries)
    .where('expires_at', '>', limits.now)
    .returning('code_hash')
    .executeTakeFirst();
  return row?.code_hash;
}

/** True for exactly one of concurrent callers. */
export async function consumeCode(database: Database, key: CodeKey, codeHash: Buffer): Promise<boolean> {
  const row = await database
    .deleteFrom('verify_code')
    .where('purpose', '=', key.purpose)
    .where('target', '=', key.target)
    .where('account_id', '=', key.accountId)
    .where('code_hash', '=', codeHash)
    .returning('target')
    .executeTakeFirst();
  return row !== undefined;
}

/** False if it was used before. */
export async function spendProof(database: Database, proofHash: Buffer, expiresAt: number): Promise<boolean> {
  const row = await database
    .insertInto('spent_proof')
    .values({ proof_hash: proofHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('proof_hash').doNothing())
    .returning('expires_at')
    .executeTakeFirst();
  return row !== undefined;
}

export async function dropOldCodes(database: Database, before: number): Promise<void> {
  await database.deleteFrom('verify_code').where('expires_at', '<', before).execute();
  await database.deleteFrom('spent_proof').where('expires_at', '<', before).execute();
  await database.deleteFrom('invitation').where('expires_at', '<', before).execute();
}
