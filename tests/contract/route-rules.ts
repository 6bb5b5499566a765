// Who may use each address, message and topic of the product that is no call: a new one stands here, or the test of them is red.
import type { PageMessage } from '@vedette/contract/calls/page-events.ts';
import type { SiteToServer } from '@vedette/contract/site/site.ts';

/**
 * `everybody`: what stands there is nobody's. `token`: an account, by its token. `thisMachine`: by loopback alone.
 * `oauth`: the standards of OAuth, which an app or its user proves itself by.
 */
export type RouteRule = 'everybody' | 'token' | 'thisMachine' | 'oauth';

/** Of the server, as they are registered. */
export const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
  '/healthz': 'everybody',
  '/readyz': 'everybody',
  '/metrics': 'thisMachine',
  '/serverConfig.json': 'everybody',
  '/api/openapi.json': 'everybody',
  '/api/docs': 'everybody',
  '/documents/privacy/en': 'everybody',
  '/documents/privacy/en/plain': 'everybody',
  '/documents/privacy/zh-CN': 'everybody',
  '/documents/privacy/zh-CN/plain': 'everybody',
  '/documents/agreement/en': 'everybody',
  '/documents/agreement/en/plain': 'everybody',
  '/documents/agreement/zh-CN': 'everybody',
  '/documents/agreement/zh-CN/plain': 'everybody',
  // Files of the console and of the documentation, which hold nothing of an installation.
  '/*': 'everybody',
  '/docs': 'everybody',
  '/docs/': 'everybody',
  '/embed/:appId': 'everybody',
  '/download/version/:versionId/:fileName': 'everybody',
  '/upload/firmware': 'token',
  '/api/v1/version/upload': 'token',
  '/oidc/device': 'oauth',
  '/oidc/*': 'oauth',
};

/** Addresses that are routed by hand: what their first message or their path has to prove. */
export const ROUTED_RULES: Readonly<Record<string, string>> = {
  '/ca.pem': 'for everybody',
  '/trust': 'for everybody',
  '/ws': 'the token of a session in the first message',
  '/site': 'the secret or the certificate of a site in the first message',
  '/node':
    'the certificate of a living server of the same database, proven in the handshake of the port between servers',
  '/media/live': 'a ticket in each subscription',
  '/media/talk': 'a ticket in the first message',
  MEDIA_TUNNEL_PATH: 'a tunnel that the server announced to this site',
};

/** Messages of sites: what is believed of them. A kind that is missing does not compile. */
export const SITE_MESSAGE_RULES: Readonly<Record<SiteToServer['type'], string>> = {
  hello: 'proves the site',
  direct: 'counts, and names nothing',
  event: 'of devices of this site alone',
  answer: 'to a call of the server that waits',
};

/** Messages of pages. */
export const PAGE_MESSAGE_RULES: Readonly<Record<PageMessage['type'], string>> = {
  hello: 'proves the session',
  ping: 'names nothing',
};

/** Topics that a shell may ask of a page where nobody is signed in: they tell and change nothing of an account. */
export const OPEN_TOPICS: readonly string[] = [
  'language/get',
  'language/update',
  'account/operate',
  'autoLogin',
  'identity/ticket',
  'system/info',
  'theme/update',
];
