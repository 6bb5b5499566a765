// The loopback control port of the virtual devices: JSON over HTTP, by which tests look inside and cause faults.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VirtualDevice } from '../host/virtual-device.ts';
import type { StreamClock } from '../stream/live-stream.ts';
import { runCommand } from './control-commands.ts';
import { ControlError } from './control-input.ts';

export interface ControlServerOptions {
  readonly devices: readonly VirtualDevice[];
  readonly clock: StreamClock;
}

const BODY_LIMIT = 64 * 1024;

/**
 * `GET /state`: all devices with their streams and counters.
 * `POST /devices/<serial>/<command>` with a JSON object: see control-commands.ts.
 */
export class ControlServer {
  private readonly options: ControlServerOptions;
  private server: Server | null = null;

  constructor(options: ControlServerOptions) {
    this.options = options;
  }

  async listen(port: number, host: string): Promise<string> {
    const server = createServer((request, response) => this.serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.server = server;
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    const { server } = this;
    if (server === null) return Promise.resolve();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    if (request.method === 'GET' && path === '/state') {
      reply(response, 200, { nowMs: this.options.clock.wallMs(), devices: this.options.devices.map(stateOf) });
      return;
    }
    const found = /^\/devices\/([A-Za-z0-9]{1,20})\/([a-z-]{1,40})$/.exec(path);
    const device = this.options.devices.find((one) => one.plan.serial === found?.[1]);
    if (request.method !== 'POST' || found === null || device === undefined) {
      reply(response, 404, { error: 'no such device or command' });
      return;
    }
    this.receive(request, response, device, found[2] as string);
  }

  private receive(request: IncomingMessage, response: ServerResponse, device: VirtualDevice, command: string): void {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString() || '{}';
      runCommand(device, command, text).then(
        (result) => reply(response, 200, result),
        (error: unknown) => {
          const known = error instanceof ControlError;
          reply(response, known ? 400 : 500, { error: error instanceof Error ? error.message : String(error) });
        },
      );
    });
  }
}

function stateOf(device: VirtualDevice) {
  return {
    serial: device.plan.serial,
    name: device.plan.name,
    kind: device.plan.kind,
    target: device.target,
    rtspPort: device.rtspPort,
    isRunning: device.isRunning,
    connections: device.connectionCount,
    streams: Object.fromEntries(
      [...device.streams].map(([path, stream]) => [path, { url: device.rtspUrl(path), ...stream.state }]),
    ),
    subscriptions: device.events.pullPoints.count,
    /** What was said to it, by channel number. */
    heard: Object.fromEntries([...device.ears].map(([channelNo, ear]) => [channelNo, ear.received()])),
    /** Where each head looks, by channel number. */
    heads: Object.fromEntries(
      [...device.ptzUnits].map(([channelNo, { place, isMoving, blur, irisDb, switches, presets, counters }]) => [
        channelNo,
        { ...place, isMoving, blur, irisDb, ...switches, presets, ...counters },
      ]),
    ),
    footage: Object.fromEntries(
      [...device.footage].map(([path, footage]) => [path, { url: device.rtspUrl(path), pictures: footage.pictures }]),
    ),
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text);
}
