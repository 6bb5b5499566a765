// Connection of a site after a failed batch: no later event overtakes the resent ones.
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { systemClock as clock } from '@vedette/foundation/time/clock.ts';
import { RareLog } from './rare-log.ts';
import { SiteConnection } from './site-connection.ts';

const eventOf = (at: number): SiteEvent => ({
  kind: 'deviceStatus',
  deviceSerial: 'CAM1',
  status: 1,
  reason: null,
  at,
});

test('[FT-25] [FT-27] after a failed batch the connection accepts nothing more and acknowledges nothing', async () => {
  const [asked, sent, closed]: [number[], string[], number[]] = [[], [], []];
  const socket = {
    OPEN: 1,
    readyState: 1,
    on: () => undefined,
    terminate: () => undefined,
    send: (text: string) => void sent.push(text),
    close: (code: number) => void closed.push(code),
  };
  const failed = Promise.withResolvers<void>();
  const peer = new SiteConnection({
    socket: socket as unknown as WebSocket,
    clock,
    budget: null,
    log: new RareLog(pino({ level: 'silent' }), clock),
    onEvents: async (events) => {
      asked.push(...events.map(({ at }) => at));
      if (asked.length === 1) throw new Error('the database is gone');
    },
    onDirect: () => undefined,
    onFault: () => failed.resolve(),
  });
  peer.receive({ type: 'event', seq: 1, event: eventOf(1) }, 100);
  await failed.promise;
  for (const seq of [2, 3]) peer.receive({ type: 'event', seq, event: eventOf(seq) }, 100);
  await Promise.resolve();
  peer.close();
  expect({ asked, sent, closed }).toEqual({ asked: [1], sent: [], closed: [1011] });
});
