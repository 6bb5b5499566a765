// Refuses a WebSocket upgrade with a plain HTTP answer.
import type { Duplex } from 'node:stream';

/** Whoever asked may be gone already: without a listener the failing write would end the process. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
