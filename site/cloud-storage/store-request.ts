// One HTTP request to an object store over a connection of its own, dialled under the network policy; redirects are not followed.
import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import { AddressRefused, dial, NameNotResolved } from '@vedette/foundation/network/dial.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import { StoreFault } from './object-store.ts';

export interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** A longer answer is refused. */
  readonly mostBytes: number;
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type SendToStore = (request: StoreRequest, signal: AbortSignal) => Promise<StoreAnswer>;

/** Nothing comes or goes for so long: the store has stopped. */
const SILENCE_MS = 20_000;

/** `policy` is read at every dial. Rejects with StoreFault or the reason of the signal. */
export function storeSender(policy: () => NetworkPolicy, silenceMs = SILENCE_MS): SendToStore {
  return async (request, signal) => {
    const isTls = request.url.protocol === 'https:';
    const port = request.url.port === '' ? (isTls ? 443 : 80) : Number(request.url.port);
    let socket: Socket | null = null;
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(silenceMs)]);
      const target = { host: request.url.hostname, port, tls: isTls ? { ALPNProtocols: ['http/1.1'] } : null };
      socket = await dial(target, { resolve: resolveBySystem, policy, signal: within });
      return await exchange(request, socket, { signal, silenceMs });
    } catch (error) {
      signal.throwIfAborted();
      throw storeFault(error);
    } finally {
      socket?.destroy();
    }
  };
}

function exchange(
  { method, url, headers, body, mostBytes }: StoreRequest,
  socket: Socket,
  { signal, silenceMs }: { readonly signal: AbortSignal; readonly silenceMs: number },
): Promise<StoreAnswer> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(
      {
        createConnection: () => socket,
        method,
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, connection: 'close', 'content-length': body?.length ?? 0, ...headers },
        signal,
      },
      (answer) => readAnswer(answer, mostBytes).then(resolve, reject),
    );
    socket.setTimeout(silenceMs, () => sent.destroy(new StoreFault('timeout', `silent for ${silenceMs} ms`)));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

async function readAnswer(answer: IncomingMessage, mostBytes: number): Promise<StoreAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new StoreFault('answer', `answered more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

function storeFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  return new StoreFault(reasonOf(error), error instanceof Error ? error.message : String(error), { cause: error });
}

function reasonOf(error: unknown): StoreReason {
  if (error instanceof AddressRefused) return 'address';
  if (error instanceof NameNotResolved) return 'unreachable';
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^HPE_|^EPROTO|^ERR_SSL_/u.test(code)) return 'answer';
  return /CERT|ERR_TLS_|_VERIFY_|SELF_SIGNED|ISSUER/u.test(code) ? 'certificate' : 'unreachable';
}
