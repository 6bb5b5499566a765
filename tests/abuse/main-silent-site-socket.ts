// One remote site that never says hello, alone in its process: how long until the product closes its socket, as the network shows it.
import { once } from 'node:events';
import { connect } from 'node:tls';
import type { SilentSiteOrder, SilentSiteReport } from './role-messages.ts';

process.on('message', (order: SilentSiteOrder) => {
  void observe(order).then((report) => process.send?.(report));
});

async function observe({ url, localAddress }: SilentSiteOrder): Promise<SilentSiteReport> {
  const { hostname: host, port } = new URL(url);
  // The test product's authority is its own; this stranger trusts anybody.
  const socket = connect({ host, port: Number(port), localAddress, rejectUnauthorized: false, family: 4 } as never);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(performance.now()));
    socket.once('end', () => resolve(performance.now()));
  });
  socket.on('error', () => socket.destroy());
  try {
    await Promise.race([once(socket, 'secureConnect'), closed]);
    socket.write(upgradeOf('/site', host));
    const heard = await Promise.race([once(socket, 'data') as Promise<[Buffer]>, closed]);
    if (typeof heard === 'number' || !heard[0].toString('latin1').startsWith('HTTP/1.1 101')) return { openMs: null };
    const openedMs = performance.now();
    // A close frame may come before; what counts is the connection.
    socket.resume();
    return { openMs: Math.round((await closed) - openedMs) };
  } finally {
    socket.destroy();
  }
}

function upgradeOf(path: string, host: string): string {
  const lines = [`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: Upgrade', 'upgrade: websocket'];
  lines.push('sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==');
  return `${lines.join('\r\n')}\r\n\r\n`;
}
