// WebSocket heartbeat: keeps peers that answer pings, and disconnects one that does not.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { Heartbeat } from './heartbeat.ts';

test('[FT-37] disconnects only the peer that stays silent', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const heartbeat = new Heartbeat({ clock: systemClock, everyMs: 30 });
  let pings = 0;
  sockets.on('connection', (socket) => heartbeat.watch(socket));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lively = new WebSocket(url);
  lively.on('ping', () => {
    pings += 1;
  });
  const silent = new WebSocket(url, { autoPong: false });
  await once(silent, 'close');
  await vi.waitFor(() => expect(pings).toBeGreaterThan(5));
  expect(lively.readyState).toBe(WebSocket.OPEN);
  heartbeat.close();
  await once(lively, 'close');
  sockets.close();
  server.close();
});
