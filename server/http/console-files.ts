// Serves the built console: pages with a fresh nonce, immutable hashed assets, the entry page for every console route.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicOrigin } from './public-origin.ts';
import { newNonce, pagePolicy } from './security-headers.ts';

/** Vite writes it into the entry pages (`html.cspNonce`). */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const ENTRY = 'index.html';
const ENTRIES = new Set(['/', `/${ENTRY}`, '/client.html']);
/** Below these nothing is ever a route of the console. */
const NOT_CONSOLE = /^\/(?:api|media|assets|ws|site|healthz|readyz|metrics|oidc)(?:\/|$)/;

export interface ConsoleFiles {
  /** Answers with the entry page when the request is a page of the console; false leaves it to the caller. */
  readonly answerPage: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

export async function registerConsole(
  app: FastifyInstance,
  options: { folder: string | null; publicPort: number; captchaOrigin: () => string | null },
): Promise<ConsoleFiles> {
  const { folder } = options;
  if (folder === null || !existsSync(join(folder, ENTRY))) return { answerPage: () => false };
  const sendPage = (request: FastifyRequest, reply: FastifyReply, file: string): void => {
    const nonce = newNonce();
    const { host } = publicOrigin(request.headers, options.publicPort);
    void reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        pagePolicy(nonce, host, { outside: options.captchaOrigin(), isClient: file !== ENTRY }),
      )
      .send(readFileSync(join(folder, file), 'utf8').replaceAll(NONCE_PLACEHOLDER, nonce));
  };
  const answerPage = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const path = pathOf(request);
    if (!isPage(request, path)) return false;
    const isClient = path === '/client.html' && existsSync(join(folder, 'client.html'));
    sendPage(request, reply, isClient ? 'client.html' : ENTRY);
    return true;
  };
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    decorateReply: false,
    preCompressed: true,
    allowedPath: (pathName) => !ENTRIES.has(pathName),
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return { answerPage };
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
