// Proxies WebSocket upgrades: replays the request head once, then pipes bytes both ways with back-pressure.

import net from 'node:net';
import { requestHeaders } from './headers.js';

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:stream').Duplex} viewer
 * @param {Buffer} head what the viewer sent after its head
 * @param {{ peer: import('./peer.js').Peer, socketPath: string, onAnswer: () => void }} target
 */
export function passUpgrade(request, viewer, head, { peer, socketPath, onAnswer }) {
  const upstream = net.connect({ path: socketPath, allowHalfOpen: false });
  const endBoth = () => {
    upstream.destroy();
    viewer.destroy();
  };
  viewer.on('error', endBoth);
  viewer.on('close', endBoth);
  upstream.on('close', endBoth);
  upstream.on('error', () => {
    if (upstream.bytesRead === 0) refuseUpgrade(viewer, 502, 'Bad Gateway');
    else endBoth();
  });
  upstream.on('connect', () => {
    upstream.write(requestHead(request, peer));
    if (head.length > 0) upstream.write(head);
    upstream.once('data', onAnswer);
    upstream.pipe(viewer);
    viewer.pipe(upstream);
  });
}

/**
 * @param {import('node:stream').Duplex} viewer
 * @param {number} status
 * @param {string} reason
 */
export function refuseUpgrade(viewer, status, reason) {
  viewer.on('error', () => viewer.destroy());
  viewer.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => viewer.destroy());
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('./peer.js').Peer} peer
 */
function requestHead(request, peer) {
  const lines = [`GET ${request.url} HTTP/1.1`, 'connection: Upgrade', 'upgrade: websocket'];
  for (const [name, value] of Object.entries(requestHeaders(request, peer))) {
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
