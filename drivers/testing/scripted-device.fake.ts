// A device for tests that answers each SOAP operation with a given text over real HTTP; it uses none of the codecs it tests, except to read the operation's name.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseXml } from '@vedette/protocols/xml/xml.ts';

export interface ScriptedCall {
  readonly name: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly hasSecurityHeader: boolean;
  readonly body: string;
}

export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A body element is put into an envelope; anything that starts with `<?xml` or is a Buffer is sent as it is. */
  readonly body?: string | Buffer;
  /** Sends this many bytes of filler and never ends. */
  readonly flood?: true;
  /** Never answers. */
  readonly hang?: true;
  /** Answers so much later. */
  readonly afterMs?: number;
}

export type Script = Readonly<Record<string, ScriptedReply | ((call: ScriptedCall) => ScriptedReply)>>;

export class ScriptedDevice {
  readonly calls: ScriptedCall[] = [];
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** `before` answers in place of the script, for example with a 401; GET requests go to the operation named by their path. */
  static async start(script: Script, before?: (call: ScriptedCall) => ScriptedReply | null): Promise<ScriptedDevice> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const device = new ScriptedDevice(server, (server.address() as AddressInfo).port);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      device.#serve(script, before, request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    return device;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/onvif/device_service`;
  }

  /** How often an operation was asked for. */
  count(name: string): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(
    script: Script,
    before: ((call: ScriptedCall) => ScriptedReply | null) | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = readCall(request, Buffer.concat(chunks).toString());
    this.calls.push(call);
    const entry = script[call.name] ?? { status: 400, body: actionNotSupported };
    const reply = before?.(call) ?? (typeof entry === 'function' ? entry(call) : entry);
    if (reply.afterMs === undefined) send(response, reply);
    else setTimeout(() => send(response, reply), reply.afterMs).unref();
  }
}

function readCall(request: IncomingMessage, body: string): ScriptedCall {
  const envelope = body === '' ? null : parseXml(body);
  const [path = ''] = (request.url ?? '').split('?');
  return {
    name: envelope?.child('Body')?.children[0]?.name ?? path,
    path,
    authorization: request.headers.authorization ?? null,
    hasSecurityHeader: envelope?.path('Header', 'Security') !== undefined,
    body,
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '', flood, hang }: ScriptedReply): void {
  if (hang === true) return;
  response.writeHead(status, { 'content-type': 'application/soap+xml', ...headers });
  if (flood === true) {
    const filler = Buffer.alloc(65_536, 0x20);
    const more = () => {
      while (!response.destroyed && response.write(filler));
    };
    response.on('drain', more);
    more();
    return;
  }
  const isWhole = typeof body !== 'string' || body === '' || body.startsWith('<?xml') || body.startsWith('<!');
  response.end(isWhole ? body : soapEnvelope(body));
}

export function soapEnvelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" xmlns:ter="http://www.onvif.org/ver10/error" xmlns:tt="http://www.onvif.org/ver10/schema"><env:Body>${body}</env:Body></env:Envelope>`;
}

export function soapFault(code: string, ...subcodes: string[]): string {
  const nested = subcodes.reduceRight(
    (inner, subcode) => `<env:Subcode><env:Value>${subcode}</env:Value>${inner}</env:Subcode>`,
    '',
  );
  return `<env:Fault><env:Code><env:Value>env:${code}</env:Value>${nested}</env:Code><env:Reason><env:Text xml:lang="en">said by the device</env:Text></env:Reason></env:Fault>`;
}

const actionNotSupported = soapFault('Receiver', 'ter:ActionNotSupported');
