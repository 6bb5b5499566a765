// Passes WebSocket upgrades on: the head of the request is written anew, then bytes go both ways with back-pressure.
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';

export interface UpgradeTarget {
  /** Of the request that goes on. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly socketPath: string;
  /** Called with the first bytes of the answer. */
  readonly onAnswer: () => void;
}

/** @param head what the viewer sent after its head */
export function passUpgrade(
  request: IncomingMessage,
  viewer: Duplex,
  head: Buffer,
  { headers, socketPath, onAnswer }: UpgradeTarget,
): void {
  const upstream = net.connect({ path: socketPath, allowHalfOpen: false });
  const endBoth = (): void => {
    upstream.destroy();
    viewer.destroy();
  };
  viewer.on('error', endBoth);
  viewer.on('close', endBoth);
  upstream.on('close', endBoth);
  upstream.on('error', () => {
    if (upstream.bytesRead === 0) refuseUpgrade(viewer, '502 Bad Gateway');
    else endBoth();
  });
  upstream.on('connect', () => {
    upstream.write(requestHead(request, headers));
    if (head.length > 0) upstream.write(head);
    upstream.once('data', onAnswer);
    upstream.pipe(viewer);
    viewer.pipe(upstream);
  });
}

function requestHead(request: IncomingMessage, headers: UpgradeTarget['headers']): string {
  const lines = [`GET ${request.url} HTTP/1.1`, 'connection: Upgrade', 'upgrade: websocket'];
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${one}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
