// Hosts many bare RTSP cameras of a given bit rate for benches: one port, one path per camera, few groups that share their work.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RtspServer } from '@vedette/protocols/rtsp/server/server.ts';
import type { ReadyDevice, RunningDevices } from '../control/ready-line.ts';
import type { StreamClock } from '../stream/live-stream.ts';
import { LoopStream } from './loop-stream.ts';
import { createNoiseLoop } from './noise-loop.ts';

export interface ScaleOptions {
  readonly host: string;
  /** RTSP port; the control port is the next one. 0: any free ones. */
  readonly port: number;
  readonly count: number;
  readonly kbps: number;
  /** AAC beside the pictures. */
  readonly hasAudio: boolean;
  readonly password: string;
  readonly clock: StreamClock;
}

const GROUPS = 10;
const LOOP = { shape: { width: 1280, height: 720, rate: 25, qp: 30 }, gopSeconds: 2, gops: 2 };

export async function startScale(options: ScaleOptions): Promise<RunningDevices> {
  const loop = createNoiseLoop({ ...LOOP, kbps: options.kbps });
  const groups = Array.from(
    { length: Math.min(GROUPS, options.count) },
    (_, index) =>
      new LoopStream({
        loop,
        clock: options.clock,
        seed: index + 1,
        phase: index / GROUPS,
        hasAudio: options.hasAudio,
      }),
  );
  const server = new RtspServer({
    authentication: {
      realm: 'scale',
      schemes: () => ['digest-md5'],
      passwordOf: (user) => (user === 'admin' ? options.password : null),
    },
    serverName: 'Vedette virtual devices',
    mountOf: (path) => {
      const camera = Number(/^\/camera\/(\d{1,6})\/?$/.exec(path)?.[1] ?? 0);
      return camera >= 1 && camera <= options.count ? (groups[(camera - 1) % groups.length] ?? null) : null;
    },
    udpPorts: 'any',
    timeoutSeconds: () => 60,
  });
  const port = await server.listen(options.port, options.host);
  const control = createControl(groups);
  await new Promise<void>((resolve) =>
    control.listen(options.port === 0 ? 0 : options.port + 1, options.host, resolve),
  );
  const devices = Array.from(
    { length: options.count },
    (_, index): ReadyDevice => ({
      name: `Camera ${index + 1}`,
      kind: 'camera',
      target: `rtsp://${options.host}:${port}/camera/${index + 1}`,
      user: 'admin',
      password: options.password,
      organization: ['Bench'],
    }),
  );
  const controlUrl = `http://${options.host}:${(control.address() as AddressInfo).port}`;
  return {
    ready: { event: 'ready', devices, controlUrl },
    stop: async () => {
      control.closeAllConnections();
      control.close();
      await server.close();
    },
  };
}

/** `GET /state`: clients, pictures and bytes sent over all groups. */
function createControl(groups: readonly LoopStream[]): Server {
  return createServer((_request, response) => {
    const total = { clients: 0, pictures: 0, bytes: 0, skipped: 0 };
    for (const group of groups) {
      total.clients += group.clientCount;
      total.pictures += group.counters.pictures;
      total.bytes += group.counters.bytes;
      total.skipped += group.counters.skipped;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(total));
  });
}
