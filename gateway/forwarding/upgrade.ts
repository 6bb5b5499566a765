// Passes WebSocket upgrades on: the head of the request is written anew, then bytes go both ways with back-pressure.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';

export interface UpgradeTarget {
  /** Of the request that goes on. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly dial: () => Promise<Duplex>;
  /** Called with the first bytes of the answer. */
  readonly onAnswer: () => void;
}

/** To a process of this machine. */
export async function dialSocket(path: string): Promise<Duplex> {
  const socket = net.connect({ path, allowHalfOpen: false });
  await once(socket, 'connect');
  return socket;
}

/** @param head what the viewer sent after its head */
export function passUpgrade(request: IncomingMessage, viewer: Duplex, head: Buffer, target: UpgradeTarget): void {
  const drop = (): void => void viewer.destroy();
  viewer.on('error', drop);
  target.dial().then(
    (upstream) => {
      viewer.off('error', drop);
      if (viewer.destroyed) upstream.destroy();
      else connect(request, { viewer, head, upstream }, target);
    },
    () => refuseUpgrade(viewer, '502 Bad Gateway'),
  );
}

interface Ends {
  readonly viewer: Duplex;
  readonly head: Buffer;
  readonly upstream: Duplex;
}

function connect(
  request: IncomingMessage,
  { viewer, head, upstream }: Ends,
  { headers, onAnswer }: UpgradeTarget,
): void {
  let isAnswered = false;
  const endBoth = (): void => {
    upstream.destroy();
    viewer.destroy();
  };
  viewer.on('error', endBoth);
  viewer.on('close', endBoth);
  upstream.on('close', endBoth);
  upstream.on('error', () => {
    if (isAnswered) endBoth();
    else refuseUpgrade(viewer, '502 Bad Gateway');
  });
  upstream.write(requestHead(request, headers));
  if (head.length > 0) upstream.write(head);
  upstream.once('data', () => {
    isAnswered = true;
    onAnswer();
  });
  upstream.pipe(viewer);
  viewer.pipe(upstream);
}

function requestHead(request: IncomingMessage, headers: UpgradeTarget['headers']): string {
  const lines = [`GET ${request.url} HTTP/1.1`, 'connection: Upgrade', 'upgrade: websocket'];
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${one}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
