// Routes below /oidc/: hands requests to the provider of the address they came by.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicOrigin } from '../../http/public-origin.ts';
import { COMMON_HEADERS } from '../../http/security-headers.ts';
import type { OauthProviders } from './oauth-providers.ts';

export const OIDC_PATH = '/oidc';
const DEVICE_PAGE = '/oauth2/deviceAuth';

export function oidcRoutes(deps: { readonly providers: OauthProviders; readonly publicPort: number }) {
  return (app: FastifyInstance): void => {
    // A scope of its own: the provider reads its bodies itself.
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      // The address that a device shows leads to our page.
      scope.get(`${OIDC_PATH}/device`, (request, reply) => {
        const code = new URLSearchParams(request.url.split('?')[1] ?? '').get('user_code');
        const query = code === null ? '' : `?${new URLSearchParams({ userCode: code })}`;
        return reply.redirect(`${DEVICE_PAGE}${query}`, 303);
      });
      scope.all(`${OIDC_PATH}/*`, (request, reply) => answer(deps, request, reply));
    });
  };
}

async function answer(
  { providers, publicPort }: { readonly providers: OauthProviders; readonly publicPort: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = publicOrigin(request.headers, publicPort);
  // Codes and tokens in clear text stay on this machine (RFC 9700 2.6).
  if (!origin.isSecure && request.headers['x-vedette-loopback'] === '0') {
    return await reply.code(400).send({ error: 'invalid_request', error_description: 'use https' });
  }
  const provider = await providers.at(origin);
  reply.hijack();
  for (const [name, value] of Object.entries(COMMON_HEADERS)) reply.raw.setHeader(name, value);
  // So that the provider finds where it is mounted.
  const url = request.raw.url ?? '';
  Object.assign(request.raw, { originalUrl: url, url: url.slice(OIDC_PATH.length) });
  await provider.callback()(request.raw, reply.raw);
  return reply;
}
