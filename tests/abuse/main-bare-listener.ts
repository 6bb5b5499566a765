// A listener that has nothing to do with the product: takes every socket, says nothing, and closes it after as long as the product does.
import { createServer } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { ListenerOrder, ListenerReport } from './role-messages.ts';

// As the stranger: on another machine by right.
setPriority(constants.priority.PRIORITY_LOW);

const SILENT_MAX_MS = 5000;

const server = createServer((socket) => {
  const end = setTimeout(() => socket.destroy(), SILENT_MAX_MS);
  socket.once('close', () => clearTimeout(end));
  socket.on('error', () => socket.destroy());
  socket.resume();
});

process.on('message', ({ host }: ListenerOrder) => {
  server.listen({ host, port: 0, backlog: 511 }, () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    process.send?.({ port: address.port } satisfies ListenerReport);
  });
});
