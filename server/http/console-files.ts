// Serves the built console: pages with a fresh nonce, immutable hashed assets, the entry page for every console route.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicOrigin } from './public-origin.ts';
import { DOCUMENTATION_POLICY, newNonce, pagePolicy } from './security-headers.ts';

/** Vite writes it into the entry pages (`html.cspNonce`). */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** The origins that may frame the page, for the page itself; separated by spaces. */
const EMBEDDERS_PLACEHOLDER = '__EMBEDDERS__';
const ENTRY = 'index.html';
const CLIENT_ENTRY = 'client.html';
/** The console for the frame of an app's page; the id of the app follows. */
const EMBED_PATH = '/embed';
/** Built beside the console; it is for everybody, like the description of the calls. */
const DOCUMENTATION = '/docs';
const ENTRIES = new Set(['/', `/${ENTRY}`, '/client.html']);
/** Below these nothing is ever a route of the console. */
const NOT_CONSOLE = /^\/(?:api|media|assets|docs|ws|site|healthz|readyz|metrics|oidc)(?:\/|$)/;

export interface ConsoleFiles {
  /** Answers with the entry page when the request is a page of the console; false leaves it to the caller. */
  readonly answerPage: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

export interface ConsoleOptions {
  readonly folder: string | null;
  readonly publicPort: number;
  readonly captchaOrigin: () => string | null;
  /** Of an app; none where nobody may frame the console for it. */
  readonly embedOrigins: (appId: string) => Promise<readonly string[]>;
}

export async function registerConsole(app: FastifyInstance, options: ConsoleOptions): Promise<ConsoleFiles> {
  const { folder } = options;
  if (folder === null || !existsSync(join(folder, ENTRY))) return { answerPage: () => false };
  const sendPage = ({ request, reply, file, embedders = [] }: SentPage): void => {
    const nonce = newNonce();
    if (embedders.length > 0) void reply.removeHeader('x-frame-options');
    const { host } = publicOrigin(request.headers, options.publicPort);
    void reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        pagePolicy(nonce, host, { outside: options.captchaOrigin(), isClient: file !== ENTRY, embedders }),
      )
      .send(
        readFileSync(join(folder, file), 'utf8')
          .replaceAll(NONCE_PLACEHOLDER, nonce)
          .replaceAll(EMBEDDERS_PLACEHOLDER, embedders.join(' ')),
      );
  };
  app.get<{ Params: { appId: string } }>(`${EMBED_PATH}/:appId`, async (request, reply) => {
    sendPage({ request, reply, file: CLIENT_ENTRY, embedders: await options.embedOrigins(request.params.appId) });
    return reply;
  });
  const answerPage = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const path = pathOf(request);
    if (!isPage(request, path)) return false;
    const isClient = path === `/${CLIENT_ENTRY}` && existsSync(join(folder, CLIENT_ENTRY));
    sendPage({ request, reply, file: isClient ? CLIENT_ENTRY : ENTRY });
    return true;
  };
  // The documentation is files alone: without the slash its relative links would lead beside it.
  for (const path of [DOCUMENTATION, `${DOCUMENTATION}/`])
    app.get(path, (_request, reply) => reply.redirect(`${DOCUMENTATION}/index.html`));
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    decorateReply: false,
    preCompressed: true,
    allowedPath: (pathName) => !ENTRIES.has(pathName),
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (path.startsWith(join(folder, DOCUMENTATION))) reply.header('content-security-policy', DOCUMENTATION_POLICY);
    },
  });
  return { answerPage };
}

interface SentPage {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly file: string;
  readonly embedders?: readonly string[];
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/';
}

/** A path whose last part has a dot names a file: a missing one is 404 and not the page. */
function isPage(request: FastifyRequest, path: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (ENTRIES.has(path)) return true;
  return !NOT_CONSOLE.test(path) && !path.slice(path.lastIndexOf('/')).includes('.');
}
