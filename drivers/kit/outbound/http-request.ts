// Sends one HTTP request over a dialled connection, within limits; redirects are returned like any answer.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { DeviceFault } from '../device-fault.ts';
import type { BodySource, OutboundRequest, OutboundResponse } from '../driver-context.ts';
import { openDeadline, type Deadline } from './deadline.ts';
import { type DialOptions, dialWithin } from './dial.ts';
import { networkFault } from './network-fault.ts';

export async function httpRequest(options: DialOptions, request: OutboundRequest): Promise<OutboundResponse> {
  const url = new URL(request.url);
  const tls = url.protocol === 'https:';
  if (!tls && url.protocol !== 'http:') throw new TypeError(`not an HTTP URL: ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new TypeError('credentials do not belong into a URL');
  using deadline = openDeadline(request.timeoutMs, request.signal);
  const target = { host: url.hostname, port: url.port === '' ? (tls ? 443 : 80) : Number(url.port), tls, timeoutMs: 0 };
  const socket = await dialWithin(options, target, deadline);
  try {
    return await exchange(socket, url, request, deadline);
  } catch (error) {
    deadline.throwIfOver();
    throw networkFault(error);
  } finally {
    socket.destroy();
  }
}

function exchange(socket: Socket, url: URL, request: OutboundRequest, deadline: Deadline): Promise<OutboundResponse> {
  const answered = new Promise<OutboundResponse>((resolve, reject) => {
    const body = request.body === undefined ? undefined : Buffer.from(request.body);
    const size = request.source?.bytes ?? body?.length;
    const outgoing = sendRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        connection: 'close',
        ...(size === undefined ? {} : { 'content-length': String(size) }),
        ...onWire(request.headers ?? {}),
      },
      maxHeaderSize: 32_768,
    });
    outgoing.once('response', (response) => collect(response, request.maxBytes).then(resolve, reject));
    outgoing.on('error', reject);
    if (request.source === undefined) outgoing.end(body);
    else sendSource(request.source, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  return deadline.race(answered, () => socket.destroy());
}

/** If the peer answers early the rest of the body is not sent. */
async function sendSource({ read, onSent }: BodySource, outgoing: ClientRequest): Promise<void> {
  let sent = 0;
  let isAnswered = false;
  outgoing.once('response', () => {
    isAnswered = true;
  });
  const ended = new AbortController();
  outgoing.once('close', () => ended.abort());
  for await (const part of read()) {
    if (isAnswered || ended.signal.aborted) return;
    if (!outgoing.write(part)) await once(outgoing, 'drain', { signal: ended.signal }).catch(() => undefined);
    sent += part.length;
    onSent?.(sent);
  }
  outgoing.end();
}

/** Header bytes are UTF-8 (user names in digest credentials); node writes strings as Latin-1. */
function onWire(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<OutboundResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new DeviceFault('device', `answer of more than ${maxBytes} bytes`, { fault: 'answer too large' });
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), body: Buffer.concat(chunks) };
}

function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const values = headers.get(name) ?? [];
    values.push(raw[at + 1] ?? '');
    headers.set(name, values);
  }
  return headers;
}
