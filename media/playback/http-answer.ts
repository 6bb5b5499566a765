// HTTP answers of the media engine: uncached bodies, and errors as a status with a code of the error table.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import { errorCode } from '../recordings/disk.ts';

/** Ends a request with a status and a code of the error table. */
export class HttpAnswer extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number) {
    super(errorName(code) ?? 'refused');
    this.status = status;
    this.code = code;
  }
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: readonly Buffer[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function send({ response, request }: HttpExchange, { status, type, body, headers = {} }: Answer): void {
  const length = body.reduce((sum, one) => sum + one.length, 0);
  response.writeHead(status, { ...mediaHeaders(type), ...headers, 'content-length': length });
  if (request.method !== 'HEAD') for (const part of body) response.write(part);
  response.end();
}

/** Lets a page of another origin read the answer, where it is the one that the ticket was given to. */
export function openToPage({ request, response }: HttpExchange, pageOrigin: string | undefined): void {
  if (pageOrigin === undefined || request.headers.origin !== pageOrigin) return;
  response.setHeader('access-control-allow-origin', pageOrigin);
  response.setHeader('vary', 'origin');
}

/** Not cached, and without CORS, so that browsers keep it from other origins. */
export function mediaHeaders(type: string): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': 'no-store, private',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
}

export function sendFailure(response: ServerResponse, error: unknown, onFailure: (error: unknown) => void): void {
  const isGone = errorCode(error) === 'ENOENT' || error instanceof RangeError;
  const answer =
    error instanceof HttpAnswer
      ? error
      : new HttpAnswer(isGone ? 404 : 500, isGone ? ERROR_CODES.notFound : ERROR_CODES.serverInternalError);
  if (answer.status === 500) onFailure(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify({ code: answer.code, message: answer.message }));
  response.writeHead(answer.status, { ...mediaHeaders('application/json'), 'content-length': body.length });
  response.end(body);
}
