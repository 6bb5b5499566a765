// The one way out of the server: a name is resolved, judged, and the address that was judged is the one that is dialled; redirects are not followed.
import { lookup } from 'node:dns/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { type AddressPolicy, type AddressVerdict, judgeAddress } from './address-policy.ts';

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

/** What a user named may not be dialled, or nobody answered there. */
export class OutboundError extends Error {
  readonly kind: 'address' | 'unreachable';

  constructor(kind: 'address' | 'unreachable', message: string) {
    super(message);
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

const WITHIN_MS = 10_000;
const ANSWER_BYTES = 16 * 1024;

export class OutboundClient {
  readonly #policy: (isOperator: boolean) => Promise<AddressPolicy>;

  constructor(options: { readonly policy: (isOperator: boolean) => Promise<AddressPolicy> }) {
    this.#policy = options.policy;
  }

  async http(request: OutboundRequest, isOperator: boolean): Promise<OutboundAnswer> {
    const url = httpUrl(request.url);
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const address = await this.resolve(url.hostname, port, isOperator);
    const open = isTls ? requestTls : requestPlain;
    return await new Promise((resolve, reject) => {
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
          timeout: WITHIN_MS,
          signal: AbortSignal.timeout(WITHIN_MS),
        },
        (answer) => readAnswer(answer).then(resolve, reject),
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', (error) => reject(new OutboundError('unreachable', error.message)));
      sent.end(request.body);
    });
  }

  /** For protocols that speak over a line of their own: the line is dialled to the address that was judged. */
  async dial(host: string, port: number, isOperator: boolean): Promise<Socket> {
    const address = await this.resolve(host, port, isOperator);
    return await new Promise((resolve, reject) => {
      const socket = connect({ host: address, port });
      const giveUp = setTimeout(() => socket.destroy(new Error('no answer in time')), WITHIN_MS);
      socket.once('connect', () => {
        clearTimeout(giveUp);
        resolve(socket);
      });
      socket.once('error', (error) => {
        clearTimeout(giveUp);
        reject(new OutboundError('unreachable', error.message));
      });
    });
  }

  /** Every address of the name must be allowed: of two the second could be dialled next time. */
  async resolve(host: string, port: number, isOperator: boolean): Promise<string> {
    const policy = await this.#policy(isOperator);
    const found = await addressesOf(bare(host));
    const verdicts = found.map((address): [string, AddressVerdict] => [address, judgeAddress(address, port, policy)]);
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

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);
  } catch (error) {
    throw new OutboundError('unreachable', error instanceof Error ? error.message : 'the name is not known');
  }
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
    throw new OutboundError('unreachable', error instanceof Error ? error.message : 'the answer broke off');
  }
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  return { status: answer.statusCode ?? 0, headers, text: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString() };
}
