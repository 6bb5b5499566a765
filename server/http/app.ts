// HTTP application: one route per call, OpenAPI, health, metrics, and the console's files.
import type { IncomingMessage, Server } from 'node:http';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { EVENT_HEADER } from '@vedette/contract/calls/page-events.ts';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DatabaseBusy, withRequestDeadline } from '../database/request-deadline.ts';
import { browserName } from './browser-name.ts';
import { type ConsoleFiles, registerConsole } from './console-files.ts';
import { docsPage } from './api-docs/docs-page.ts';
import { registerDocuments } from './document-pages.ts';
import { admitForeignPage, API, foreignPageOf } from './foreign-pages.ts';
import { openApi } from './api-docs/openapi.ts';
import { type Pipeline, refusal } from './pipeline.ts';
import type { Credentials } from '../auth/sessions.ts';
import { callerAddress, httpUrl, publicOrigin } from './public-origin.ts';
import { COMMON_HEADERS, DATA_POLICY, newNonce, pagePolicy } from './security-headers.ts';
import { serverConfig } from './server-config.ts';
import type { AccountSettings } from '../settings/account-settings.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A request that is not whole by then is cut off: the gateway ends calls much sooner, and lets firmware take its time. */
const REQUEST_WITHIN_MS = 3_600_000;

export interface AppOptions {
  readonly pipeline: Pipeline;
  readonly log: Logger;
  readonly version: string;
  readonly publicPort: number;
  /** Number of the newest event that pages were told. */
  readonly newestEvent: () => number;
  readonly consoleFolder: string | null;
  /** Which pages may frame the console for an app. */
  readonly embedOrigins: (appId: string) => Promise<readonly string[]>;
  /** Whether pages of that origin belong to any app. */
  readonly isListedOrigin: (origin: string) => Promise<boolean>;
  /** Routes that are no calls: files that are uploaded and downloaded. */
  readonly routes: readonly ((app: FastifyInstance) => void)[];
  /** Text of /metrics. */
  readonly metrics: () => Promise<string>;
  /** Names of what is not ready; none means ready. */
  readonly accountSettings: AccountSettings;
  readonly readiness: () => Promise<string[]>;
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify<Server>({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, request, reply) => answerFault(error, request, reply, options.log));
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(COMMON_HEADERS);
    const isForeign = foreignPageOf(request) !== null;
    if (isForeign && !(await admitForeignPage(request, reply, options.isListedOrigin))) {
      await sendEnvelope(reply, 403, ERROR_CODES.permissionDenied);
    } else if (Number(request.headers['content-length'] ?? 0) > (request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES)) {
      await swallow(request.raw);
      await sendEnvelope(reply, 413, ERROR_CODES.paramInvalid, { body: 'tooLong' });
    }
  });
  // Whatever a route asks of the database ends in time.
  app.addHook('preHandler', (_request, _reply, done) => withRequestDeadline(done));
  for (const path of Object.keys(calls) as CallPath[]) registerCall(app, options, path);
  for (const open of options.routes) open(app);
  registerDescription(app, options);
  registerHealth(app, options);
  registerDocuments(app);
  app.get('/serverConfig.json', (_request, reply) => sendServerConfig(reply, options.accountSettings));
  const files = await registerConsole(app, {
    folder: options.consoleFolder,
    publicPort: options.publicPort,
    captchaOrigin: () => options.accountSettings.captchaOrigin,
    embedOrigins: options.embedOrigins,
  });
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, files));
  return app;
}

async function sendServerConfig(reply: FastifyReply, settings: AccountSettings): Promise<FastifyReply> {
  const { config } = await settings.read();
  return await reply
    .header('cache-control', 'no-cache')
    .header('content-security-policy', DATA_POLICY)
    .send(serverConfig(config));
}

/** Who is refused while still sending finds the connection gone instead of the answer; the gateway bounds what comes. */
function swallow(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    request.once('end', resolve);
    request.once('close', resolve);
    request.resume();
  });
}

function registerCall(app: FastifyInstance, options: AppOptions, path: CallPath): void {
  app.post(`${API}${path}`, async (request, reply) => {
    // Taken first: of what comes while the answer is put together, nobody knows whether it stands in it.
    const newest = options.newestEvent();
    const origin = publicOrigin(request.headers, options.publicPort);
    const envelope = await options.pipeline.run(path, {
      body: request.body,
      ...credentialsOf(request, httpUrl(origin, `${API}${path}`)),
      address: callerAddress(request.headers),
      agent: browserName(request.headers['user-agent']),
      origin,
      page: foreignPageOf(request),
      cookies: request.headers.cookie ?? '',
      setCookie: (header) => void reply.header('set-cookie', header),
    });
    return await reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', DATA_POLICY)
      .header(EVENT_HEADER, newest)
      .send(envelope);
  });
}

function credentialsOf({ headers }: FastifyRequest, url: string): Credentials {
  const [, scheme, token] = /^(Bearer|DPoP) ([^ ]{1,512})$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme === undefined || token === undefined) return { token: null, proof: null };
  const jwt = headers['dpop'];
  return { token, proof: scheme.toLowerCase() === 'bearer' ? null : { jwt: typeof jwt === 'string' ? jwt : '', url } };
}

function registerDescription(app: FastifyInstance, options: AppOptions): void {
  // Made when somebody asks for it, which most starts see nobody do.
  let description: string | null = null;
  app.get('/api/openapi.json', (_request, reply) => {
    description ??= JSON.stringify(openApi(options.version));
    return reply.type('application/json').header('content-security-policy', DATA_POLICY).send(description);
  });
  app.get('/api/docs', (request, reply) => {
    const nonce = newNonce();
    const { host } = publicOrigin(request.headers, options.publicPort);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce, host))
      .send(docsPage({ version: options.version, nonce }));
  });
}

function registerHealth(app: FastifyInstance, options: AppOptions): void {
  app.get('/healthz', (_request, reply) => reply.send({ state: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const missing = await options.readiness();
    return await reply
      .code(missing.length === 0 ? 200 : 503)
      .send({ state: missing.length === 0 ? 'ready' : 'waiting', missing });
  });
  app.get('/metrics', async (request, reply) => {
    if (request.headers['x-vedette-loopback'] === '0') return sendEnvelope(reply, 404, ERROR_CODES.notFound);
    return await reply.type('text/plain; version=0.0.4').send(await options.metrics());
  });
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, files: ConsoleFiles): FastifyReply {
  const path = request.url.split('?')[0] ?? '';
  if (path.startsWith(API) && request.method !== 'POST' && Object.hasOwn(calls, path.slice(API.length))) {
    return sendEnvelope(reply.header('allow', 'POST'), 405, ERROR_CODES.notFound);
  }
  if (files.answerPage(request, reply)) return reply;
  return sendEnvelope(reply, 404, ERROR_CODES.notFound);
}

const BODY_FAULTS: Readonly<Record<string, { status: number; problem: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, problem: 'tooLong' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, problem: 'format' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 200, problem: 'required' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 200, problem: 'format' },
};

function answerFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  if (error instanceof DatabaseBusy) return sendEnvelope(reply, 503, ERROR_CODES.serviceBusy);
  const fault = BODY_FAULTS[error.code];
  if (fault !== undefined) {
    return sendEnvelope(reply, fault.status, ERROR_CODES.paramInvalid, { body: fault.problem });
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return sendEnvelope(reply, error.statusCode, ERROR_CODES.paramInvalid, { body: 'format' });
  }
  log.error({ err: error, url: request.routeOptions.url }, 'a request failed');
  return sendEnvelope(reply, 200, ERROR_CODES.serverInternalError);
}

function sendEnvelope(reply: FastifyReply, status: number, code: number, data: unknown = null): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', DATA_POLICY)
    .send(refusal(code, data));
}
