// Tickets by which a native client takes over a sign-in that ended in a browser (RFC 8252): each works once, for a minute, and for who knows the word behind its challenge.
import { createHash } from 'node:crypto';
import { IDENTITY_LIMITS } from '@vedette/contract/limits.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import { insertFlow, takeFlow } from '../../database/account/identity-flow.queries.ts';
import type { Database } from '../../database/connection.ts';

export interface ClientTicketDeps {
  readonly database: Database;
  readonly box: SecretBox;
}

/** `challenge`: SHA-256 of the word, base64url. */
export async function openTicket(
  { database, box }: ClientTicketDeps,
  whose: { readonly providerId: string; readonly accountId: string; readonly challenge: string },
  now: number,
): Promise<string> {
  const ticket = newSecret();
  const stateHash = hashOf(ticket);
  await insertFlow(database, {
    state_hash: stateHash,
    provider_id: whose.providerId,
    cookie_hash: Buffer.from(whose.challenge, 'base64url'),
    secrets: box.seal(whose.accountId, rowId(stateHash)),
    purpose: 'ticket',
    session_id: null,
    redirect_url: '',
    created_at: now,
    expires_at: now + IDENTITY_LIMITS.ticketMs,
  });
  return ticket;
}

/** Id of the account; null: unknown, used, over, of another provider, or the word of another. */
export async function takeTicket(
  { database, box }: ClientTicketDeps,
  given: { readonly providerId: string; readonly ticket: string; readonly verifier: string },
  now: number,
): Promise<string | null> {
  const stateHash = hashOf(given.ticket);
  const flow = await takeFlow(database, {
    state_hash: stateHash,
    cookie_hash: hashOf(given.verifier),
    provider_id: given.providerId,
    purposes: ['ticket'],
    now,
  });
  return flow === undefined ? null : box.open(flow.secrets, rowId(stateHash));
}

function rowId(stateHash: Buffer): string {
  return `identity ticket ${stateHash.toString('hex')}`;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
