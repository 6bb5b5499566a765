// The HTTP side of a virtual device: ONVIF, firmware, the maker's own interface and snapshots, each behind the same sign-in.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerAuthentication } from '@vedette/protocols/http-digest/server-authentication.ts';
import { FIRMWARE_PATH } from '../onvif/maintenance-service.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import { OnvifServer } from '../onvif/onvif-server.ts';
import { encodeJpeg } from '../scene/codec/jpeg.ts';
import type { LiveStream } from '../stream/live-stream.ts';
import { CgiPeer } from '../vendor/cgi-peer.ts';
import { IsapiPeer } from '../vendor/isapi-peer.ts';
import type { VendorPeer } from '../vendor/vendor-peer.ts';
import type { Quality } from '../device/device-plan.ts';

const VENDOR_BODY_LIMIT = 256 * 1024;
const peers = { isapi: IsapiPeer, cgi: CgiPeer } as const;

export class DeviceHttp {
  private readonly device: OnvifDevice;
  private readonly onvif: OnvifServer;
  private readonly authentication: ServerAuthentication;
  private readonly vendor: VendorPeer | null;

  /** `report` is told of errors that are the device's own. */
  constructor(device: OnvifDevice, report: (error: unknown) => void) {
    const { plan } = device;
    this.device = device;
    this.authentication = new ServerAuthentication({
      realm: plan.serial,
      schemes: () => ['digest-sha-256', 'digest-md5'],
      passwordOf: (user) => device.passwordOf(user),
      qop: 'auth',
    });
    this.onvif = new OnvifServer({ device, httpAuthentication: this.authentication, report });
    this.vendor = plan.vendor === undefined ? null : new peers[plan.vendor](device);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && path.startsWith('/onvif/')) {
      this.onvif.serve(request, response);
      return;
    }
    if (path === FIRMWARE_PATH) {
      this.takeFirmware(request, response);
      return;
    }
    if (this.vendor?.takes(path) === true) {
      this.serveVendor(this.vendor, request, response);
      return;
    }
    const snapshot = /^\/snapshot\/(\d{1,3})\/(main|second|third)\.jpg$/.exec(path);
    const stream = snapshot === null ? null : this.device.streamOf(Number(snapshot[1]), snapshot[2] as Quality);
    if (request.method !== 'GET' || stream === null) {
      response.writeHead(404).end();
      return;
    }
    this.serveSnapshot(request, response, stream);
  }

  private takeFirmware(request: IncomingMessage, response: ServerResponse): void {
    if (!this.letsIn(request, response)) request.resume();
    else if (request.method === 'POST') this.device.firmware.receive(request, response);
    else response.writeHead(405).end();
  }

  private serveVendor(vendor: VendorPeer, request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > VENDOR_BODY_LIMIT) request.destroy();
    });
    request.on('end', () => {
      if (!this.letsIn(request, response)) return;
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://device');
      const answer = vendor.answer({ method: request.method ?? 'GET', path, query, body: Buffer.concat(chunks) });
      response.writeHead(answer.status, { 'Content-Type': answer.type }).end(answer.body);
    });
  }

  private letsIn({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse): boolean {
    const verdict = this.authentication.verify(method, url, headers.authorization);
    if (verdict.allowed || this.device.behaviour.onvifAuth === 'none') return true;
    response.writeHead(401, { 'WWW-Authenticate': [...verdict.challenges] }).end();
    return false;
  }

  private serveSnapshot(request: IncomingMessage, response: ServerResponse, stream: LiveStream): void {
    if (!this.letsIn(request, response)) return;
    const { width, height } = stream.currentShape;
    const picture = encodeJpeg(stream.still(), width, height);
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': picture.length }).end(picture);
  }
}
