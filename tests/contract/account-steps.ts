// Steps of account tests that no call offers, done in the database.
import pg from 'pg';
import { Secret, TOTP } from 'otpauth';
import { waitFor } from '../harness/wait-for.ts';
import type { CallClient, ServerUnderTest } from './server-under-test.ts';

/** For time that must pass, and for looking at what is stored. */
export async function runSql(server: ServerUnderTest, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Never at the end of a step: the server would see it in the next. */
export async function codeAt(secret: string, offMs = 0): Promise<string> {
  await waitFor('a step that lasts', () => Date.now() % 30_000 < 27_000, 5000);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offMs });
}

/** For some minutes the session may do what it alone may not; `code` where a second factor is on. */
export async function prove(client: CallClient, password: string, code?: string): Promise<void> {
  await client.ok('account/stepUp', { password, ...(code !== undefined && { code }) });
}

/** Switches the second factor on with a code of the step before this one. */
export async function enableTotp(
  client: CallClient,
  password: string,
): Promise<{ secret: string; otpauthUrl: string; recoveryCodes: string[] }> {
  await prove(client, password);
  const { secret, otpauthUrl } = await client.ok('account/twofactor/begin', {});
  const { recoveryCodes } = await client.ok('account/twofactor/enable', { code: await codeAt(secret, -30_000) });
  return { secret, otpauthUrl, recoveryCodes };
}
