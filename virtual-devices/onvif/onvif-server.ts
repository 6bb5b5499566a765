// Receives SOAP requests of a virtual device, checks who asks, and finds the operation (ONVIF Core 5).

import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerAuthentication } from '@vedette/protocols/http-digest/server-authentication.ts';
import { onvifPrefixes } from '@vedette/protocols/onvif/namespaces.ts';
import { SchemaError } from '@vedette/protocols/onvif/schema.ts';
import {
  type Envelope,
  readEnvelope,
  SoapError,
  soapContentType,
  writeEnvelope,
} from '@vedette/protocols/soap/envelope.ts';
import { isMtom, readMtom, type ReadMtom } from '@vedette/protocols/soap/mtom.ts';
import { isUsernameTokenValid, readUsernameToken } from '@vedette/protocols/soap/ws-security.ts';
import { type XmlElement, XmlError } from '@vedette/protocols/xml/xml.ts';
import type { XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { FIRMWARE_MOST_BYTES } from '../device/firmware.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { topicNamespaces } from '@vedette/contract/device-event.ts';
import { deviceHandlers } from './device-service.ts';
import { eventHandlers } from './event-service.ts';
import { analyticsHandlers } from './analytics-service.ts';
import { audioHandlers } from './audio-service.ts';
import { encoderHandlers } from './encoder-service.ts';
import { imagingHandlers } from './imaging-service.ts';
import { ioHandlers } from './io-service.ts';
import { maintenanceHandlers } from './maintenance-service.ts';
import { maskHandlers } from './mask-service.ts';
import { osdHandlers } from './osd-service.ts';
import { timeHandlers } from './time-service.ts';
import { mediaHandlers } from './media-service.ts';
import { media2Handlers } from './media2-service.ts';
import { actionNotSupported, notAuthorized, OnvifFault } from './onvif-fault.ts';
import { ptzHandlers } from './ptz-service.ts';
import { recordingHandlers } from './recording-service.ts';
import { keyOf, type OperationHandler } from './operation-handler.ts';
import { type PlannedSoapFault, spoilResponse, spoilText } from './soap-faults.ts';

export interface OnvifServerOptions {
  readonly device: OnvifDevice;
  readonly httpAuthentication: ServerAuthentication;
  /** Told of errors that are the device's own. */
  readonly report: (error: unknown) => void;
}

/** Open to everyone (ONVIF Core 5.9.4.3, access class PRE_AUTH). */
const PRE_AUTH = new Set([
  'GetSystemDateAndTime',
  'GetServices',
  'GetServiceCapabilities',
  'GetCapabilities',
  'GetHostname',
]);

const FRESHNESS_MS = 5 * 60_000;
const BODY_LIMIT = 1024 * 1024;

export class OnvifServer {
  private readonly options: OnvifServerOptions;
  private readonly handlers: ReadonlyMap<string, OperationHandler>;
  /** Nonces seen, each with the time it was signed with, and the time after which their message is stale anyway. */
  private readonly nonces = new Map<string, number>();

  constructor(options: OnvifServerOptions) {
    this.options = options;
    const { device } = options;
    const all = [
      ...deviceHandlers(device),
      ...mediaHandlers(device),
      ...media2Handlers(device),
      ...imagingHandlers(device),
      ...analyticsHandlers(device),
      ...audioHandlers(device),
      ...ioHandlers(device),
      ...maintenanceHandlers(device),
      ...osdHandlers(device),
      ...maskHandlers(device),
      ...encoderHandlers(device),
      ...timeHandlers(device),
      ...ptzHandlers(device),
      ...recordingHandlers(device),
      ...eventHandlers(device),
    ];
    this.handlers = new Map(all.map((handler) => [handler.key, handler]));
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { firmware } = this.options.device;
    const isPackage = isMtom(request.headers['content-type'] ?? '');
    const limit = BODY_LIMIT + (isPackage ? FIRMWARE_MOST_BYTES : 0);
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit || (isPackage && firmware.fault === 'drops')) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => void this.respond(request, response, Buffer.concat(chunks)));
  }

  private async respond(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    try {
      const received = readReceived(request, body);
      const planned = this.options.device.soapFaults.take(received.envelope.body?.name ?? '');
      if (planned !== null && spoilResponse(planned, response)) return;
      if (planned !== null) await this.delay(planned);
      this.send(response, 200, await this.perform(request, response, received), planned);
    } catch (error) {
      this.refuse(response, this.faultOf(error), body);
    }
  }

  private refuse(response: ServerResponse, fault: OnvifFault, body: Buffer): void {
    const unsigned = fault.parts.subcodes?.[0] === 'ter:NotAuthorized' && !hasToken(body);
    if (unsigned && this.options.device.behaviour.onvifAuth !== 'wsse') this.challenge(response, fault);
    else this.send(response, fault.status, fault.node);
  }

  /** Throws the fault that was planned. */
  private async delay({ kind, delayMs, subcodes }: PlannedSoapFault): Promise<void> {
    if (kind === 'delay') await wait(systemClock, delayMs);
    if (kind !== 'fault' && kind !== 'fault-200') return;
    throw new OnvifFault({ code: 'Receiver', subcodes, reason: 'As planned' }, kind === 'fault-200' ? 200 : undefined);
  }

  private async perform(request: IncomingMessage, response: ServerResponse, received: Received): Promise<XmlNode> {
    const { envelope, attached } = received;
    if (envelope.body === null) throw actionNotSupported();
    if (!PRE_AUTH.has(envelope.body.name)) this.authorize(request, envelope.header);
    const handler = this.handlers.get(keyOf(envelope.body.namespace, envelope.body.name));
    if (handler === undefined) throw actionNotSupported();
    const path = (request.url ?? '').split('?')[0] ?? '';
    const onGone = (leave: () => void) => void response.once('close', leave);
    return await handler.run(envelope.body, { path, header: envelope.header, attached, onGone });
  }

  private authorize(request: IncomingMessage, header: XmlElement | null): void {
    const { device, httpAuthentication } = this.options;
    const mode = device.behaviour.onvifAuth;
    if (mode === 'none') return;
    if (mode !== 'wsse') {
      const { authorization } = request.headers;
      if (httpAuthentication.verify('POST', request.url ?? '/', authorization).allowed) return;
    }
    if (header?.child('Security') !== undefined) {
      if (mode === 'digest') {
        throw new OnvifFault({ code: 'MustUnderstand', reason: 'Security header not understood' });
      }
      if (this.isTokenValid(header)) return;
    }
    throw notAuthorized();
  }

  private isTokenValid(header: XmlElement): boolean {
    const { device } = this.options;
    const token = readUsernameToken(header);
    const password = token === null ? null : device.passwordOf(token.user);
    if (token === null || password === null) return false;
    const nowMs = device.clock.wallMs();
    if (!isUsernameTokenValid(token, { user: token.user, password, nowMs, toleranceMs: FRESHNESS_MS })) return false;
    // A token comes once. Clients that keep their nonce for a session sign it with another time for each message.
    const nonce = `${token.nonce.toString('base64')} ${token.created}`;
    for (const [seen, until] of this.nonces) if (until < nowMs) this.nonces.delete(seen);
    if (this.nonces.has(nonce)) return device.behaviour.takesReplays;
    this.nonces.set(nonce, nowMs + 2 * FRESHNESS_MS);
    return true;
  }

  private challenge(response: ServerResponse, fault: OnvifFault): void {
    const verdict = this.options.httpAuthentication.verify('POST', '', undefined);
    response.setHeader('WWW-Authenticate', verdict.allowed ? [] : [...verdict.challenges]);
    this.send(response, 401, fault.node);
  }

  private faultOf(error: unknown): OnvifFault {
    if (error instanceof OnvifFault) return error;
    if (error instanceof XmlError || error instanceof SoapError) {
      return new OnvifFault({ code: 'Sender', subcodes: ['ter:WellFormed'], reason: 'Not a well-formed request' });
    }
    if (error instanceof SchemaError) {
      return new OnvifFault({ code: 'Sender', subcodes: ['ter:InvalidArgs'], reason: error.message });
    }
    this.options.report(error);
    return new OnvifFault({ code: 'Receiver', subcodes: ['ter:Action'], reason: 'The device failed' });
  }

  private send(response: ServerResponse, status: number, body: XmlNode, planned: PlannedSoapFault | null = null): void {
    const written = writeEnvelope({ body, prefixes: { ...onvifPrefixes, ...topicNamespaces } });
    const text = Buffer.from(planned === null ? written : spoilText(planned, written));
    response.writeHead(status, { 'Content-Type': soapContentType, 'Content-Length': text.length }).end(text);
  }
}

interface Received {
  readonly envelope: Envelope;
  readonly attached: ReadMtom['attached'];
}

function readReceived(request: IncomingMessage, body: Buffer): Received {
  // Clients of HTTP digest ask for the challenge with an empty request.
  if (body.length === 0) throw notAuthorized();
  const { envelope, attached } = readMtom(request.headers['content-type'] ?? '', body) ?? unattached(body);
  return { envelope: readEnvelope(envelope), attached };
}

function unattached(envelope: Buffer): ReadMtom {
  return { envelope, attached: new Map() };
}

function hasToken(body: Buffer): boolean {
  return body.includes('UsernameToken');
}
