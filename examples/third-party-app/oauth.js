// Signing in by OAuth 2: discovery, authorization code with PKCE (RFC 7636), and the check of state and issuer (RFC 9207).
import { createHash, randomBytes } from 'node:crypto';

const SCOPE = 'openid device.list live';
const random = () => randomBytes(32).toString('base64url');

/** Everything is found from the address of the server. */
export async function discover(serverUrl) {
  const answer = await fetch(`${serverUrl}/oidc/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(`${serverUrl} offers no sign-in: ${answer.status}`);
  return answer.json();
}

/** Where the browser is sent to, and what to remember until it is back. */
export function beginSignIn({ endpoints, clientId, redirectUri }) {
  const [verifier, state] = [random(), random()];
  const address = new URL(endpoints.authorization_endpoint);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPE,
    prompt: 'consent',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return { address: address.href, pending: { verifier, state } };
}

/** The access token for the code with which the browser came back. */
export async function endSignIn({ endpoints, clientId, redirectUri, pending, answer }) {
  if (answer.get('state') !== pending.state || answer.get('iss') !== endpoints.issuer)
    throw new Error('this answer belongs to another sign-in');
  if (answer.has('error')) throw new Error(answer.get('error'));
  const response = await fetch(endpoints.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code: answer.get('code') ?? '',
      code_verifier: pending.verifier,
    }),
  });
  const tokens = await response.json();
  if (!response.ok) throw new Error(tokens.error ?? 'no token');
  return tokens.access_token;
}
