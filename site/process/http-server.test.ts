// The site's HTTP server and clients that disconnect abruptly.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HttpServer } from './http-server.ts';

test('[SE-85] an upgrade of an unknown path whose client disconnected ends only itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'http-server-'));
  const socketPath = join(folder, 'site.sock');
  const server = new HttpServer({ socketPath, onRequest: () => false, onUpgrade: {} });
  await server.listen();
  const head = 'GET /media/nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  try {
    // Each is gone before the answer is written: the write fails with EPIPE, which an unguarded process does not survive.
    for (let round = 0; round < 20; round += 1) {
      const leaving = connect(socketPath);
      leaving.end(head, () => leaving.destroy());
      await once(leaving, 'close');
    }
    const staying = connect(socketPath);
    staying.write(head);
    const [answer] = (await once(staying, 'data')) as [Buffer];
    expect(answer.toString()).toContain(' 404 ');
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
