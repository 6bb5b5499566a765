// Handlers of cdn/code/*: codes of 16 capitals and digits, made by the operator, each of which opens one package once (VA-05).
import { createHash } from 'node:crypto';
import type { CdnPackage } from '@vedette/contract/calls/cdn.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { newReadable } from '@vedette/foundation/random/secrets.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { quotaHolder } from '../../database/account/quota.queries.ts';
import type { Database } from '../../database/connection.ts';
import { activatePackage, insertPackage, packageTotal } from '../../database/media/cdn-package.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { MINUTE_MS } from './cdn-meter.ts';

export function cdnCodeHandlers({
  database,
}: {
  readonly database: Database;
}): Handlers<'cdn/code/create' | 'cdn/code/activate'> {
  return {
    'cdn/code/create': async ({ input, now }) => {
      const code = newReadable(CDN_LIMITS.codeLength);
      await insertPackage(database, { ...input, codeHash: hashOf(code) }, now);
      return { code };
    },
    'cdn/code/activate': async ({ input: { code }, principal, now }) => {
      const { ownerId } = requireFound(await quotaHolder(database, principal.userId), 'notFound');
      const outcome = await activatePackage(database, hashOf(code), { accountId: ownerId, now });
      if (outcome === 'unknown') throw new CallError('notFound');
      if (outcome === 'used') throw new CallError('alreadyExists');
      return { resource: await packageOf(database, ownerId) };
    },
  };
}

/** What the account may push, and what it has pushed. */
export async function packageOf(database: Database, ownerId: string): Promise<CdnPackage> {
  const { minutes, streams, usedMs } = await packageTotal(database, ownerId);
  return { minutes, streams, usedMinutes: Math.min(minutes, Math.floor(usedMs / MINUTE_MS)) };
}

/** 80 random bits need no slow hash. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
