// A site process whose devices report alarms at a steady rate, with the store latency at the end.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import type { ServerToSite } from '@vedette/contract/site/site.ts';
import { WebSocket } from 'ws';
import type { StormOrder, StormResult } from './storm-order.ts';

const TICK_MS = 10;

const [text = ''] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await storm(JSON.parse(text) as StormOrder))}\n`);
process.exit(0);

async function storm(order: StormOrder): Promise<StormResult> {
  const total = order.perSecond * order.seconds;
  const toldAt = new Float64Array(total);
  const took = new Float64Array(total);
  let stored = 0;
  const done = Promise.withResolvers<void>();
  const socket = await dial(order, (seq) => {
    const now = performance.now();
    for (; stored < seq; stored += 1) took[stored] = now - (toldAt[stored] ?? now);
    if (stored >= total) done.resolve();
  });
  socket.on('close', () => done.reject(new Error('the server let the site go')));
  const beganAt = performance.now();
  let reported = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - beganAt) / 1000) * order.perSecond));
    for (; reported < due; reported += 1) {
      toldAt[reported] = performance.now();
      socket.send(JSON.stringify({ type: 'event', seq: reported + 1, event: eventOf(order, reported) }));
    }
    if (reported >= total) clearInterval(timer);
  }, TICK_MS);
  await done.promise;
  const sorted = took.toSorted();
  const at = (share: number) => Math.round(sorted[Math.floor((total - 1) * share)] ?? 0);
  return {
    told: total,
    storedP50Ms: at(0.5),
    storedP99Ms: at(0.99),
    storedMaxMs: at(1),
    maxBySecondMs: Array.from({ length: order.seconds }, (_none, second) =>
      Math.round(Math.max(...took.subarray(second * order.perSecond, (second + 1) * order.perSecond))),
    ),
    tookMs: Math.round(performance.now() - beganAt),
  };
}

/** Each an alarm of its own, of all kinds, from one device after the other. */
function eventOf({ serials }: StormOrder, no: number) {
  const at = Date.now();
  return {
    kind: 'deviceEvent',
    deviceSerial: serials[(no * 7919) % serials.length],
    // As a site makes them: the time first.
    eventId: `${at.toString(36)}${((no * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}${no.toString(16)}`,
    topic: `tnsvdt:Alarm/${RAISED_ALARM_TYPE_NAMES[(no * 31) % RAISED_ALARM_TYPE_NAMES.length]}`,
    phase: 'pulse',
    channelNo: 1,
    key: `storm ${no}`,
    at,
    deviceAt: at,
    source: { Source: `source_${no % 4}` },
    data: { State: 'true' },
  };
}

async function dial({ socketPath, masterKey }: StormOrder, onAck: (seq: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws+unix://${socketPath}:/site`);
  await once(socket, 'open');
  const secret = createHmac('sha256', Buffer.from(masterKey, 'hex')).update('vedette-site/1/local').digest('hex');
  const ready = Promise.withResolvers<void>();
  socket.on('message', (raw: Buffer) => {
    const message = JSON.parse(raw.toString('utf8')) as ServerToSite;
    if (message.type === 'ack') return onAck(message.seq);
    const data = message.name === 'tickets' ? { ticketIds: [] } : {};
    const code = message.name === 'health' ? 1006 : 200;
    socket.send(JSON.stringify({ type: 'answer', id: message.id, code, data }));
    // The last of what the server asks on connect.
    if (message.name === 'tickets') ready.resolve();
  });
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, siteId: 'local', secret }));
  await ready.promise;
  return socket;
}
