// Refused WebSocket upgrades, above all of clients that are gone.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { SITE_SOCKET_LIMITS } from '../site-link/site-endpoint.ts';
import { SocketAdmission } from '../core/socket-admission.ts';
import { acceptWebSocketUpgrades } from './websocket-upgrades.ts';

test('[SE-85] refusing an upgrade of a client that is gone affects nothing else', async () => {
  const server = new EventEmitter();
  const none = () => undefined;
  const siteSockets = new SocketAdmission({ clock: systemClock, limits: SITE_SOCKET_LIMITS });
  const options = {
    clock: systemClock,
    onPage: none,
    onSite: none,
    siteSockets,
    isListedOrigin: async () => false,
    nodes: null,
  };
  const close = acceptWebSocketUpgrades({ server: server as Server, ...options });
  const asked = [
    { url: '/nowhere', headers: {} },
    { url: '/ws', headers: { host: 'ours', origin: 'https://evil.example' } },
    { url: '/site', headers: { 'x-forwarded-for': '192.0.2.7' } },
    { url: '/node', headers: {} },
  ];
  for (const request of asked) {
    const socket = new PassThrough();
    server.emit('upgrade', request, socket, Buffer.alloc(0));
    await vi.waitFor(() => expect(socket.readableLength).toBeGreaterThan(0));
    expect(String(socket.read())).toMatch(/^HTTP\/1\.1 40[34] /);
    expect(() => socket.emit('error', new Error('write EPIPE'))).not.toThrow();
    expect(socket.destroyed).toBe(true);
  }
  close();
});
