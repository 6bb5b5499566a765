// Serves finished exports over HTTP: /media/export/<ticket> with ranges, so that a download can resume, and the manifest.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import type { Disk, DiskFile } from '../recordings/disk.ts';
import type { OpenExport } from './exports.ts';
import { parseRange } from './byte-range.ts';

export interface ExportGrant {
  readonly allowed: true;
  readonly file: OpenExport;
  /** Aborted when the ticket ends. */
  readonly ended: AbortSignal;
  /** Keeps the ticket from going idle; call the result to release it. */
  readonly hold: () => () => void;
}

export interface ExportRefusal {
  readonly allowed: false;
  readonly status: 401 | 403 | 404;
  readonly code: number;
}

export interface ExportEndpointOptions {
  readonly disk: Disk;
  readonly authorise: (ticket: string) => ExportGrant | ExportRefusal;
  readonly onFailure: (error: unknown) => void;
}

const PATH = /^\/media\/export\/([A-Za-z0-9_-]{16,128})(\/manifest\.json)?$/;
const CHUNK_BYTES = 256 * 1024;

/** False: another path. */
export type HandleExport = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createExportEndpoint(options: ExportEndpointOptions): HandleExport {
  return (request, response) => {
    const match = PATH.exec(new URL(request.url ?? '/', 'http://site').pathname);
    if (!match) return false;
    respond(options, request, response, match).catch((error: unknown) => {
      options.onFailure(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, ERROR_CODES.serverInternalError);
    });
    return true;
  };
}

async function respond(
  { disk, authorise }: ExportEndpointOptions,
  request: IncomingMessage,
  response: ServerResponse,
  [, ticket, manifest]: RegExpExecArray,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, ERROR_CODES.paramInvalid);
  const grant = authorise(ticket ?? '');
  if (!grant.allowed) return refuse(response, grant.status, grant.code);
  const { file } = grant;
  if (manifest !== undefined) {
    const body = await disk.readWhole(file.manifestPath);
    const headers = { ...common('application/json', `${file.report.name}.json`), 'content-length': body.length };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  await sendFile({ disk, request, response, grant });
}

interface Sending {
  readonly disk: Disk;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly grant: ExportGrant;
}

async function sendFile({ disk, request, response, grant }: Sending): Promise<void> {
  const { report, dataPath } = grant.file;
  const source = await disk.openFile(dataPath, 'read');
  const release = grant.hold();
  try {
    const total = report.bytesTotal;
    // Only the verified file is served.
    if ((await source.size()) !== total) return refuse(response, 404, ERROR_CODES.notFound);
    const etag = `"${report.sha256}"`;
    const condition = request.headers['if-range'];
    const asked = condition === undefined || condition === etag ? request.headers.range : undefined;
    const range = parseRange(asked, total);
    const type = report.name.endsWith('.zip') ? 'application/zip' : 'video/mp4';
    const headers = { ...common(type, report.name), etag, 'accept-ranges': 'bytes' };
    if (range === 'unsatisfiable') {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${total}`, 'content-length': 0 }).end();
      return;
    }
    const { start, end } = range ?? { start: 0, end: total };
    const partial = range ? { 'content-range': `bytes ${start}-${end - 1}/${total}` } : {};
    response.writeHead(range ? 206 : 200, { ...headers, ...partial, 'content-length': end - start });
    if (request.method === 'HEAD') response.end();
    else await sendBytes(source, response, { start, end }, AbortSignal.any([grant.ended, grant.file.ended]));
  } finally {
    release();
    await source.close();
  }
}

async function sendBytes(
  source: DiskFile,
  response: ServerResponse,
  { start, end }: { readonly start: number; readonly end: number },
  ended: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([ended, gone.signal]);
  for (let at = start; at < end && !signal.aborted; ) {
    const part = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    if ((await source.read(part, at)) < part.length) throw new RangeError('the export is shorter than it was');
    at += part.length;
    if (!response.write(part) && !signal.aborted) await drained(response, signal);
  }
  // A truncated body must not look complete.
  if (signal.aborted) response.destroy();
  else response.end();
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Always a download, not cached, and not readable by other origins. */
function common(type: string, name: string): Record<string, string> {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'cache-control': 'no-store, private',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function refuse(response: ServerResponse, status: number, code: number): void {
  const body = Buffer.from(JSON.stringify({ code, message: errorName(code) ?? 'refused' }));
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store, private',
    'content-length': body.length,
  });
  response.end(body);
}
