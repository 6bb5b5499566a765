// A stranger's machine: opens as many sockets as it is told at once, says at each what its kind says, and holds them.
import { connect as connectPlain, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { connect as connectSecure } from 'node:tls';
import { KINDS } from './socket-kinds.ts';
import type { StrangerOrder, StrangerReport } from './role-messages.ts';

// Its work is another machine's: on this one it must not be what the product waits for.
setPriority(constants.priority.PRIORITY_LOW);

/** Connects under way at a time: the backlog of a listener. */
const OPENING_MAX = 256;

const AGAIN_MS = 250;

const held = new Set<Socket>();
let [opened, mostHeld, longestMs, isLeaving] = [0, 0, 0, false];

process.on('message', (order: StrangerOrder) => {
  void (async () => {
    if (order.open) await openAll(order.open);
    if (order.leave === true) leave();
    process.send?.({ opened, held: held.size, mostHeld, longestMs } satisfies StrangerReport);
  })();
});

function leave(): void {
  isLeaving = true;
  for (const socket of held) socket.destroy();
}

type Opening = NonNullable<StrangerOrder['open']>;

async function openAll(order: Opening): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (; next < order.count && !isLeaving; ) {
      const at = next;
      next += 1;
      await openOne(order, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(OPENING_MAX, order.count) }, work));
}

/** Resolves once it is open, or refused. */
function openOne(order: Opening, at: number): Promise<void> {
  if (isLeaving) return Promise.resolve();
  const kind = order.kinds[at % order.kinds.length] ?? 'silent';
  const { port, isSecure, first, more } = KINDS[kind];
  const localAddress = order.addresses[at % order.addresses.length] ?? '127.0.0.1';
  const place = { port: order.ports[port], host: order.host, localAddress, family: 4 as const };
  const socket = isSecure ? connectSecure({ ...place, rejectUnauthorized: false } as never) : connectPlain(place);
  let repeating: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      opened += 1;
      const openedMs = performance.now();
      socket.once('close', () => {
        if (!isLeaving) longestMs = Math.max(longestMs, Math.round(performance.now() - openedMs));
      });
      held.add(socket);
      mostHeld = Math.max(mostHeld, held.size);
      if (first !== '') socket.write(first);
      if (more) repeating = setInterval(() => socket.write(more.text), more.everyMs);
      resolve();
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.resume();
    socket.once('close', () => {
      clearInterval(repeating);
      held.delete(socket);
      resolve();
      if (order.isAgain && !isLeaving) setTimeout(() => void openOne(order, at), AGAIN_MS);
    });
  });
}
