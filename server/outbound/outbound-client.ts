// Outbound HTTP and TCP client: resolves a name, checks the address, and dials the checked address; follows no redirects.
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { type NetworkPolicy, type AddressVerdict, checkAddress } from './network-policy.ts';
import { addressesOf } from './name-lookup.ts';
import { NO_ANSWER, OutboundError, outboundFault, TOO_LARGE } from './outbound-fault.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As far as it was read. */
  readonly text: string;
}

/** Who named what is dialled. */
export interface Requester {
  readonly isOperator: boolean;
  /** Null: the installation itself. */
  readonly accountId: string | null;
}

/** For what the operator has set for all. */
export const INSTALLATION: Requester = { isOperator: true, accountId: null };

interface Target {
  readonly url: URL;
  readonly address: string;
  readonly port: number;
}

/** From the look-up of the name to the end of the answer. */
const WITHIN_MS = 10_000;
const ANSWER_BYTES = 16 * 1024;
/** Of everything that comes over one connection: interim answers, headers and trailers have no end of their own. */
const HEARD_BYTES = 256 * 1024;

export class OutboundClient {
  readonly #policy: (isOperator: boolean) => Promise<NetworkPolicy>;

  constructor(options: { readonly policy: (isOperator: boolean) => Promise<NetworkPolicy> }) {
    this.#policy = options.policy;
  }

  /** Throws OutboundError. */
  async http(request: OutboundRequest, requester: Requester): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const url = httpUrl(request.url);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const address = await this.resolve(url.hostname, port, { ...requester, signal });
    return await exchange(request, { url, address, port }, signal);
  }

  /** For protocols that speak over a connection of their own: it is dialled to the address that was judged. Throws OutboundError. */
  async dial(host: string, port: number, by: Requester & { readonly signal?: AbortSignal }): Promise<Socket> {
    const { signal = AbortSignal.timeout(WITHIN_MS) } = by;
    const address = await this.resolve(host, port, { ...by, signal });
    return await new Promise((resolve, reject) => {
      const socket = connect({ host: address, port });
      const giveUp = (): void => void socket.destroy(new OutboundError('unreachable', NO_ANSWER));
      signal.addEventListener('abort', giveUp);
      socket.once('connect', () => {
        signal.removeEventListener('abort', giveUp);
        resolve(socket);
      });
      socket.once('error', (error) => {
        signal.removeEventListener('abort', giveUp);
        reject(outboundFault(error));
      });
    });
  }

  /** Every address of the name must be allowed: of two the second could be dialled next time. */
  async resolve(host: string, port: number, by: Requester & { readonly signal: AbortSignal }): Promise<string> {
    const policy = await this.#policy(by.isOperator);
    const found = await addressesOf(bare(host), by);
    const verdicts = found.map((address): [string, AddressVerdict] => [address, checkAddress(address, port, policy)]);
    const refused = verdicts.find(([, verdict]) => verdict !== 'allowed');
    if (refused !== undefined) throw new OutboundError('address', refused[1]);
    const [first] = found;
    if (first === undefined) throw new OutboundError('unreachable', 'the name has no address');
    return first;
  }
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new OutboundError('address', 'not an http address');
  }
  if (url.username !== '' || url.password !== '') throw new OutboundError('address', 'credentials in the address');
  return url;
}

function bare(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function exchange(request: OutboundRequest, target: Target, signal: AbortSignal): Promise<OutboundAnswer> {
  const { url, address, port } = target;
  const isTls = url.protocol === 'https:';
  const open = isTls ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = open(
      {
        host: address,
        port,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { host: url.host, 'content-length': Buffer.byteLength(request.body), ...request.headers },
        // The certificate is that of the name, though the address is dialled.
        ...(isTls && isIP(bare(url.hostname)) === 0 ? { servername: url.hostname } : {}),
        agent: false,
        maxHeaderSize: ANSWER_BYTES,
        signal,
      },
      (answer) =>
        readAnswer(answer)
          .then(resolve, reject)
          // It is over, whatever the other side still has to say.
          .finally(() => sent.destroy()),
    );
    sent.on('socket', (socket) => {
      let heard = 0;
      socket.on('data', (chunk: Buffer) => {
        heard += chunk.length;
        if (heard > HEARD_BYTES) sent.destroy(new OutboundError('unreachable', TOO_LARGE));
      });
    });
    sent.on('error', (error) => reject(outboundFault(error)));
    sent.end(request.body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      held += chunk.length;
      if (held >= ANSWER_BYTES) break;
    }
  } catch (error) {
    throw outboundFault(error);
  }
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  return { status: answer.statusCode ?? 0, headers, text: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString() };
}
