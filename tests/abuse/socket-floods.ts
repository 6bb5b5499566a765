// Attack: one address opens as many sockets as it can at every endpoint, while the owner opens live video and makes calls.
import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';
import type { ApiClient } from '../harness/api-client.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type AttackTarget, type AttackResult, meanwhile, tooSlow } from './attack.ts';

const STRANGER = '127.0.0.32';
const OPENINGS = 5;
const FOR_SITES: readonly string[] = ['/site', '/media/uplink'];
const ENDPOINTS = ['/ws', '/media/live', '/media/talk', ...FOR_SITES];

export interface HeldSockets {
  readonly held: () => number;
  close(): void;
}

/** `sockets` silent connections to each endpoint, and as many to the bare port. */
export async function openSockets(url: string, sockets: number): Promise<HeldSockets> {
  const { port, hostname } = new URL(url);
  const raw: Socket[] = [];
  const opened: WebSocket[] = [];
  const begun: Promise<unknown>[] = [];
  for (let index = 0; index < sockets; index += 1) {
    const socket = connect({ port: Number(port), host: hostname, family: 4, localAddress: STRANGER });
    socket.on('error', () => undefined);
    raw.push(socket);
    begun.push(settled(socket, 'connect'));
    for (const endpoint of ENDPOINTS) {
      // The port speaks both; remote sites are let in by TLS alone.
      const base = url.replace(/^https?/, FOR_SITES.includes(endpoint) ? 'wss' : 'ws');
      const order = { localAddress: STRANGER, family: 4, rejectUnauthorized: false };
      const one = new WebSocket(`${base}${endpoint}`, order);
      one.on('error', () => undefined);
      opened.push(one);
      begun.push(settled(one, 'open'));
    }
  }
  await Promise.all(begun);
  return {
    held: () =>
      raw.filter((socket) => !socket.destroyed).length +
      opened.filter((socket) => socket.readyState === WebSocket.OPEN).length,
    close: () => {
      for (const socket of raw) socket.destroy();
      for (const socket of opened) socket.terminate();
    },
  };
}

function settled(socket: Socket | WebSocket, event: 'connect' | 'open'): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once(event, resolve);
    socket.once('close', resolve);
    socket.once('error', resolve);
  });
}

/** How many of a few new live pictures come while the flood stands. */
async function liveFrames(url: string, owner: ApiClient): Promise<number> {
  const [device] = (await owner.ok('device/list', { status: 1 })).deviceList;
  if (device === undefined) return 0;
  let shown = 0;
  for (let round = 0; round < OPENINGS; round += 1) {
    try {
      const { deviceSerial } = device;
      const { ticket } = await owner.ok('media/url', { deviceSerial, channelNo: 1, quality: 0 });
      const viewer = await LiveViewer.open(url, ticket);
      await waitFor('a picture', () => viewer.fragments.length > 0, 5000);
      viewer.close();
      shown += 1;
    } catch {
      // Counted as not shown.
    }
  }
  return shown;
}

export async function socketFloods(place: AttackTarget): Promise<AttackResult> {
  let [shown, held] = [0, 0];
  const seen = await meanwhile(place, 'main-server.ts', async () => {
    const standing = await openSockets(place.url, place.count);
    held = standing.held();
    shown = await liveFrames(place.url, place.owner);
    standing.close();
  });
  const broken = [
    ...tooSlow(seen.p95Ms),
    ...(shown < OPENINGS ? [`${shown} of ${OPENINGS} new live pictures came`] : []),
  ];
  const tried = `${place.count} sockets of one address at each of ${ENDPOINTS.length + 1} doors`;
  return { name: 'socket-floods', tried, ownerSaw: { livePictures: `${shown} of ${OPENINGS}`, held }, ...seen, broken };
}
