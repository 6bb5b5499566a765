// Pages of several accounts in a process of its own: each with its event socket, which comes back by itself as a browser's does.
import { RealtimeClient, type EventSocket } from '@vedette/sdk/client/realtime-client.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import WebSocket from 'ws';
import { waitFor } from '../harness/wait-for.ts';
import type { PagesOrder, PagesReport } from './role-messages.ts';

const OPEN_WITHIN_MS = 300_000;

/** When each was let in last, ms since 1970; 0 before the first time. */
const onlineAt: number[] = [];
let losses = 0;

process.on('message', ({ open, since }: PagesOrder) => {
  void (async () => {
    if (open) await openAll(open);
    process.send?.(report(since ?? 0));
  })();
});

async function openAll({ url, tokens, count, addresses }: NonNullable<PagesOrder['open']>): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    onlineAt.push(0);
    const localAddress = addresses[at % addresses.length] ?? '127.0.0.1';
    const page = new RealtimeClient({
      open: () => dial(url, localAddress),
      clock: systemClock,
      random: Math.random,
      token: () => tokens[at % tokens.length] ?? null,
      onState: (state) => {
        if (state === 'online') onlineAt[at] = Date.now();
        if (state === 'reconnecting') losses += 1;
      },
      onMessage: () => undefined,
      onEvent: () => undefined,
      onReset: () => undefined,
      onEnd: () => undefined,
    });
    page.start();
  }
  await waitFor('every page', () => onlineAt.every((time) => time > 0), OPEN_WITHIN_MS);
}

function dial(url: string, localAddress: string): EventSocket {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
    localAddress,
    perMessageDeflate: false,
    family: 4,
  });
  const page: EventSocket = {
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  socket.on('open', () => page.onopen?.());
  socket.on('message', (data) => page.onmessage?.({ data: String(data) }));
  socket.on('error', () => undefined);
  socket.on('close', () => page.onclose?.());
  return page;
}

function report(since: number): PagesReport {
  const back = onlineAt.filter((time) => time > since);
  return { pages: onlineAt.length, back: back.length, lastBackMs: Math.max(0, ...back) - since, losses };
}
