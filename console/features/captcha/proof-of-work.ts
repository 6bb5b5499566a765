// Solves the server's proof of work, and packs the answer as the field `captcha` takes it.
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Caller } from '../../calls/caller.ts';

/** Rejects where the server gives no puzzle or the browser can't solve it in time. */
export async function solveProofOfWork(caller: Caller, signal: AbortSignal): Promise<string> {
  const { challenge } = await caller.ask('account/captcha/get', {}, { showError: false, signal });
  if (challenge === null) throw new Error('the server gives no puzzle');
  const given = challenge as unknown as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge: given, deriveKey });
  if (solution === null) throw new Error('the puzzle was not solved in time');
  return btoa(JSON.stringify({ challenge, solution }));
}
