// Fuzzes camera HTTP: XML, SOAP envelopes, every ONVIF answer, and raw HTTP.
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { cameraPolicy } from '@vedette/drivers/kit/outbound/camera-policy.ts';
import { createOutboundClient, resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import * as device from '@vedette/protocols/onvif/device-operations.ts';
import * as media from '@vedette/protocols/onvif/media-operations.ts';
import * as media2 from '@vedette/protocols/onvif/media2-operations.ts';
import * as recording from '@vedette/protocols/onvif/recording-operations.ts';
import { decodeResponse, type Operation } from '@vedette/protocols/onvif/operation.ts';
import { SchemaError } from '@vedette/protocols/onvif/schema.ts';
import { readEnvelope, SoapError } from '@vedette/protocols/soap/envelope.ts';
import { readUsernameToken } from '@vedette/protocols/soap/ws-security.ts';
import { XmlError } from '@vedette/protocols/xml/xml.ts';
import { afterAll, beforeAll, it } from 'vitest';
import { capturedFiles } from './engine/fixtures.ts';
import { fuzz } from './engine/fuzz.ts';

const ENVELOPE = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl" xmlns:tt="http://www.onvif.org/ver10/schema"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`;
const SEEDS = [
  '<tds:GetServicesResponse><tds:Service><tds:Namespace>http://www.onvif.org/ver10/media/wsdl</tds:Namespace><tds:XAddr>http://a/onvif</tds:XAddr></tds:Service></tds:GetServicesResponse>',
  '<trt:GetStreamUriResponse><trt:MediaUri><tt:Uri>rtsp://a/live?x=1&amp;y=2</tt:Uri></trt:MediaUri></trt:GetStreamUriResponse>',
  '<tds:GetDeviceInformationResponse><tds:Manufacturer>A</tds:Manufacturer><tds:SerialNumber>1</tds:SerialNumber></tds:GetDeviceInformationResponse>',
  '<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode></s:Code><s:Reason><s:Text>no</s:Text></s:Reason></s:Fault>',
].map((body) => Buffer.from(ENVELOPE(body)));
const WORDS = [
  '<',
  '>',
  '&',
  '&#x0;',
  '&amp;',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a [',
  '<!ENTITY',
  '<?',
  'xmlns:a="b"',
  '__proto__',
  '\ufeff',
];
const operations = [device, media, media2, recording]
  .flatMap((part) => Object.values(part) as unknown[])
  .filter(
    (one): one is Operation<unknown, unknown> =>
      typeof one === 'object' && one !== null && 'response' in one && 'action' in one,
  );

it('[SE-78] [SE-82] [GO-14] (xml2js, fast-xml-parser) XML, SOAP and every ONVIF answer', async () => {
  await fuzz({
    name: 'onvif-answer',
    seeds: [
      ...SEEDS,
      ...capturedFiles('onvif-soap/', /\.xml$/).slice(0, 40),
      ...capturedFiles('onvif-events/', /\.xml$/).slice(0, 10),
    ],
    words: WORDS,
    allowed: [XmlError, SoapError, SchemaError],
    outputMax: (bytes) => 12 * bytes + 2000,
    run: (input) => {
      const { header, body, fault } = readEnvelope(input);
      if (header) readUsernameToken(header);
      let made = (fault?.reason.length ?? 0) + (fault?.detail.length ?? 0);
      if (!body) return made;
      for (const operation of operations) {
        if (body.name !== `${operation.name}Response`) continue;
        made += JSON.stringify(decodeResponse(operation, body)).length;
      }
      if (({} as Record<string, unknown>)['polluted'] !== undefined) throw new Error('the prototype was changed');
      return made;
    },
  });
});

const MAX_BODY = 256 * 1024;
let answer: Uint8Array = Buffer.alloc(0);
let port = 0;
const server = createServer((socket: Socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', () => socket.end(answer));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => server.close());

it('[SE-79] [SE-82] HTTP responses, as the outbound client reads them', async () => {
  const policy = cameraPolicy({ isOperator: true, cameraNetworks: [], ownPorts: new Set(), ownAddresses: [] });
  const client = createOutboundClient({ resolve: resolveBySystem, policy: () => policy });
  await fuzz({
    name: 'http-answer',
    share: 0.15,
    seeds: [
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm="a", nonce="b"\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n',
    ].map((text) => Buffer.from(text)),
    words: [
      '\r\n',
      'Content-Length: ',
      'Transfer-Encoding: chunked\r\n',
      '-1',
      'ffffffff\r\n',
      '0\r\n\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
    ],
    allowed: [DeviceFault],
    outputMax: (bytes) => Math.min(MAX_BODY, 2 * bytes + 1024),
    run: async (input) => {
      answer = input;
      const response = await client.http({
        url: `http://127.0.0.1:${port}/`,
        method: 'GET',
        timeoutMs: 900,
        maxBytes: MAX_BODY,
      });
      return response.body.length;
    },
  });
});
