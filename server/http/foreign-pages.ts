// Pages of apps on other origins: they make calls with a token of the app, and read the answers by CORS (Fetch, section 3.3).
import { calls } from '@vedette/contract/calls/calls.ts';
import { foreignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withRequestDeadline } from '../database/request-deadline.ts';

export const API = '/api/v1/';
/** Pages of apps send there: nothing below it trusts a cookie alone, and each app names its own pages. */
const OPEN_TO_FOREIGN = '/oidc/';
/** Of a preflight, in seconds: an origin that is taken off the list is refused by the call itself. */
const PREFLIGHT_S = 600;

/** Origin of the page that sends the request where that is another than ours; null for what pages may always send. */
export function foreignPageOf(request: FastifyRequest): string | null {
  if (request.method === 'GET' || request.url.startsWith(OPEN_TO_FOREIGN)) return null;
  return foreignOrigin(request.headers);
}

/** Whether such a page may send it, to one of the calls alone: then the answer is the page's to read. A preflight is answered here. */
export async function admitForeignPage(
  request: FastifyRequest,
  reply: FastifyReply,
  isListedOrigin: (origin: string) => Promise<boolean>,
): Promise<boolean> {
  const origin = foreignOrigin(request.headers);
  if (origin === null || !isCall(request.url)) return false;
  if (!(await withRequestDeadline(() => isListedOrigin(origin)))) return false;
  void reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' });
  if (request.method !== 'OPTIONS') return true;
  await reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': PREFLIGHT_S,
    })
    .send();
  return true;
}

function isCall(url: string): boolean {
  const path = url.split('?')[0] ?? '';
  return path.startsWith(API) && Object.hasOwn(calls, path.slice(API.length));
}
