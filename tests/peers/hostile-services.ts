// Hostile web services of a device: a relay to a good device that can turn hostile, and servers with one costly answer.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer costs its reader so many milliseconds of CPU time, where the site was started with spin-preload.js. */
const SPIN_HEADER = 'x-spin-ms';
const LARGEST = 4 << 20;
const SOAP = 'application/soap+xml; charset=utf-8';
const TT = 'xmlns:tt="http://www.onvif.org/ver10/schema"';
const TDS = 'xmlns:tds="http://www.onvif.org/ver10/device/wsdl"';
const WSNT = 'xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2"';

abstract class HostileServer {
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, response) => {
      response.on('error', () => response.destroy());
      this.take(incoming, response);
    });
  }

  async listen(host: string): Promise<this> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    return this;
  }

  get target(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}/onvif/device_service`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  protected abstract take(incoming: IncomingMessage, response: ServerResponse): void;
}

/** As good as what stands behind it, until it is told otherwise. */
export class SwitchingServices extends HostileServer {
  /** CPU time that each answer costs, ms. */
  spinMs = 0;
  /** Told instead of the events that there are. */
  events: Buffer | null = null;
  /** Answers given. */
  answers = 0;
  readonly #port: number;

  constructor(port: number) {
    super();
    this.#port = port;
  }

  protected override take(incoming: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => this.#pass(incoming, Buffer.concat(parts), response));
  }

  #pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    this.answers += 1;
    const spin = this.spinMs > 0 ? { [SPIN_HEADER]: String(this.spinMs) } : {};
    if (this.events !== null && body.includes('PullMessages>')) {
      response.writeHead(200, { 'content-type': SOAP, ...spin }).end(this.events);
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: this.#port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...spin });
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }
}

/** The same to everybody who asks, whatever is asked. */
export class CostlyServices extends HostileServer {
  readonly #act: (response: ServerResponse) => void;

  constructor(act: (response: ServerResponse) => void) {
    super();
    this.#act = act;
  }

  protected override take(incoming: IncomingMessage, response: ServerResponse): void {
    incoming.resume();
    incoming.on('end', () => this.#act(response));
  }
}

function envelope(body: string): string {
  return `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" ${TT} ${TDS} ${WSNT}><s:Body>${body}</s:Body></s:Envelope>`;
}

function filled(one: string, before = '', after = ''): string {
  const room = LARGEST - envelope(before + after).length;
  return envelope(before + one.repeat(Math.floor(room / one.length)) + after);
}

const says = (body: string, type = SOAP) => {
  const bytes = Buffer.from(body);
  return (response: ServerResponse): void => void response.writeHead(200, { 'content-type': type }).end(bytes);
};

/** Answers of the greatest size that is read, each dear in another way. */
export const COSTLY_ANSWERS: readonly (readonly [name: string, act: (response: ServerResponse) => void])[] = [
  ['white space inside a text', says(filled(' ', '<tds:Manufacturer>a', 'b</tds:Manufacturer>'))],
  ['white space between elements', says(filled('\n', '<tds:a/>', '<tds:b/>'))],
  ['elements without end', says(filled('<a>'))],
  [
    'siblings without end',
    says(filled('<a/>', '<tds:GetDeviceInformationResponse>', '</tds:GetDeviceInformationResponse>')),
  ],
  ['references without end', says(filled('&#32;', '<tds:Model>', '</tds:Model>'))],
  ['one attribute of four megabytes', says(filled('x', '<tds:Model a="', '"/>'))],
  [
    'attributes without end',
    says(envelope(`<tds:Model ${Array.from({ length: 250_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`)),
  ],
  ['a fault of four megabytes', says(filled('/ ', '<s:Fault><s:Reason><s:Text>', '</s:Text></s:Reason></s:Fault>'))],
  ['four megabytes of JSON', says(`[${'[1],'.repeat(LARGEST / 4 - 2)}1]`, 'application/json')],
  [
    'parts without end',
    (response) => {
      response.writeHead(200, { 'content-type': 'multipart/related; boundary=b; type="application/xop+xml"' });
      flood(response, Buffer.from('--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(1500)));
    },
  ],
];

/** As many events as one answer holds, each of a source of its own. */
export function eventFlood(): Buffer {
  const room = LARGEST - 2000;
  const messages: string[] = [];
  for (let size = 0, index = 0; size < room; index += 1) {
    const one =
      '<wsnt:NotificationMessage><wsnt:Topic>tns1:Device/Trigger/DigitalInput</wsnt:Topic><wsnt:Message>' +
      `<tt:Message UtcTime="2026-01-01T00:00:00Z" PropertyOperation="Changed"><tt:Source><tt:SimpleItem Name="InputToken" Value="i${index}"/></tt:Source>` +
      '<tt:Data><tt:SimpleItem Name="LogicalState" Value="true"/></tt:Data></tt:Message></wsnt:Message></wsnt:NotificationMessage>';
    size += one.length;
    if (size < room) messages.push(one);
  }
  const time =
    '<tev:CurrentTime>2026-01-01T00:00:00Z</tev:CurrentTime><tev:TerminationTime>2036-01-01T00:00:00Z</tev:TerminationTime>';
  const name = 'tev:PullMessagesResponse';
  return Buffer.from(
    envelope(`<${name} xmlns:tev="http://www.onvif.org/ver10/events/wsdl">${time}${messages.join('')}</${name}>`),
  );
}

function flood(response: ServerResponse, bytes: Buffer): void {
  const next = (): void => {
    if (response.destroyed) return;
    response.write(bytes, () => setImmediate(next));
  };
  next();
}
