// An HTTP proxy before an object store that spoils uploads in a given order: refused, cut, slow, changed, lost or left without an answer.
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lost`: acknowledged and dropped. `denied`: in the middle of the upload. */
export type UploadFault = 'error' | 'cut' | 'changed' | 'lost' | 'denied' | 'frozen' | 'slow' | 'none';

export class FaultyProxy {
  /** Applied to the next uploads, one each. */
  readonly faults: UploadFault[] = [];
  readonly seen: UploadFault[] = [];
  readonly #server: Server;
  readonly #target: number;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** `port` 0: any free one. */
  static async start(target: number, port = 0): Promise<FaultyProxy> {
    const made = new FaultyProxy(target);
    made.#server.listen(port, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    const fault = request.method === 'PUT' ? (this.faults.shift() ?? 'none') : 'none';
    if (fault !== 'none') this.seen.push(fault);
    if (fault === 'error') response.writeHead(503).end();
    else if (fault === 'cut' || fault === 'denied') this.#interrupt(fault, request, response);
    else if (fault === 'frozen') request.resume();
    else this.#pass(fault, request, await bodyOf(request), response);
  }

  #pass(fault: UploadFault, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (fault === 'lost') return void response.writeHead(200).end();
    if (fault === 'changed') body[0] = (body[0] ?? 0) ^ 1;
    this.#forward(request, body, response, fault === 'slow' ? 8 : 1);
  }

  #interrupt(fault: 'cut' | 'denied', request: IncomingMessage, response: ServerResponse): void {
    request.once('data', () => {
      if (fault === 'cut') request.socket.destroy();
      else response.writeHead(403, { connection: 'close' }).end('<Error><Code>AccessDenied</Code></Error>');
    });
  }

  /** In so many pieces, a tenth of a second apart. */
  #forward({ method, url, headers }: IncomingMessage, body: Buffer, response: ServerResponse, pieces: number): void {
    const sent = sendRequest({ host: '127.0.0.1', port: this.#target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    const size = Math.ceil(body.length / pieces);
    const next = (at: number): void => {
      if (at >= body.length) return void sent.end();
      sent.write(body.subarray(at, at + size), () => setTimeout(next, pieces > 1 ? 100 : 0, at + size));
    };
    next(0);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // The other side went away: the rest is not there.
  }
  return Buffer.concat(chunks);
}
