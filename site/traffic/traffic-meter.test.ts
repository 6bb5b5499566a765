// Tests of traffic counting: what sources received and viewers were sent is reported once, also where a stream ends between two reports.
import type { SiteEvent, TicketGrant } from '@vedette/contract/site/site.ts';
import type { TrafficReport } from '@vedette/contract/site/site-traffic.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { createSourceCounters } from '@vedette/media/stream/source-counters.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { TrafficMeter } from './traffic-meter.ts';

let clock: FakeClock;
let hub: StreamHub;
let meter: TrafficMeter;
let events: SiteEvent[];
let waiting: number;
let counters: ReturnType<typeof createSourceCounters>;

beforeEach(() => {
  clock = new FakeClock();
  events = [];
  waiting = 0;
  counters = createSourceCounters();
  hub = new StreamHub({
    clock,
    lingerMs: 0,
    onConsumerFailure: () => undefined,
    onClosing: (stream) => meter.look(stream),
  });
  const spool = { pending: () => Array.from({ length: waiting }), add: (event: SiteEvent) => events.push(event) };
  meter = new TrafficMeter({ clock, hub, isOwn: (serial) => serial === 'CAM1', spool });
});

function open(key: string) {
  return hub.acquire(key, () => ({
    counters,
    server: null,
    retryNow: () => undefined,
    requestKeyframe: () => undefined,
    close: async () => undefined,
  }));
}

const reports = (): TrafficReport[] => events.filter((event): event is TrafficReport => event.kind === 'traffic');
const amounts = () =>
  reports().flatMap(({ deviceSerial, amounts: list }) =>
    list.map(({ channelNo, direction, userId, bytes }) => [deviceSerial, channelNo, direction, userId, bytes]),
  );
const viewer = (userId: string): TicketGrant => ({ deviceSerial: 'CAM1', channelNo: 2, userId }) as TicketGrant;

describe('TrafficMeter', () => {
  it('reports each minute what came since the last report, and nothing where nothing came', () => {
    open('CAM1/1/0');
    meter.start();
    counters.bytes = 500;
    clock.advance(60_000);
    clock.advance(60_000);
    counters.bytes = 700;
    clock.advance(60_000);
    expect(amounts()).toEqual([
      ['CAM1', 1, 'in', '', 500],
      ['CAM1', 1, 'in', '', 200],
    ]);
    expect(new Set(reports().map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('counts what a stream received before it ended', () => {
    const lease = open('CAM1/1/0');
    counters.bytes = 900;
    lease.release();
    clock.advance(1);
    meter.report();
    expect(amounts()).toEqual([['CAM1', 1, 'in', '', 900]]);
  });

  it('tells media of remote sites apart, and leaves out streams that are no camera', () => {
    open('FAR1/3/1');
    open('CAM1/1/0/h264');
    counters.bytes = 40;
    meter.report();
    expect(amounts()).toEqual([['FAR1', 3, 'relay', '', 40]]);
  });

  it('adds up what each viewer was sent', () => {
    meter.sent(viewer('ann'), 10);
    meter.sent(viewer('bob'), 5);
    meter.sent(viewer('ann'), 20);
    meter.close();
    expect(amounts()).toEqual([
      ['CAM1', 2, 'out', 'ann', 30],
      ['CAM1', 2, 'out', 'bob', 5],
    ]);
  });

  it('goes on counting while many events wait, and reports all of it later', () => {
    meter.start();
    waiting = 1000;
    meter.sent(viewer('ann'), 10);
    clock.advance(60_000);
    expect(reports()).toEqual([]);
    waiting = 0;
    meter.sent(viewer('ann'), 1);
    clock.advance(60_000);
    expect(amounts()).toEqual([['CAM1', 2, 'out', 'ann', 11]]);
  });

  it('counts what streams to CDNs send also on its own, and their minutes beside those of a viewer', () => {
    const push = { ...viewer('ann'), kind: 'push' } as TicketGrant;
    meter.sent(viewer('ann'), 10);
    meter.sent(push, 7);
    meter.sent(push, 5);
    clock.advance(60_000);
    meter.sent(push, 1);
    meter.report();
    meter.sent(viewer('ann'), 2);
    meter.report();
    expect(reports().map((one) => one.amounts)).toEqual([
      [{ channelNo: 2, direction: 'out', userId: 'ann', bytes: 23, minutes: 2, cdnBytes: 13, cdnMinutes: 2 }],
      [{ channelNo: 2, direction: 'out', userId: 'ann', bytes: 2 }],
    ]);
  });

  it('reports a device with very many viewers in parts', () => {
    for (let account = 0; account < 1001; account += 1) meter.sent(viewer(`account-${account}`), 1);
    meter.report();
    expect(reports().map(({ amounts: list }) => list.length)).toEqual([1000, 1]);
  });

  it('counts the minutes in which a viewer was sent something, each once however it is reported', () => {
    clock.advance(59_000);
    meter.sent(viewer('A'), 10);
    meter.sent(viewer('A'), 10);
    meter.sent(viewer('B'), 10);
    meter.report();
    // The same minute goes on.
    clock.advance(500);
    meter.sent(viewer('A'), 10);
    meter.report();
    clock.advance(60_000);
    meter.sent(viewer('A'), 10);
    clock.advance(60_000);
    meter.sent(viewer('A'), 10);
    meter.report();
    expect(reports().map((one) => one.amounts.map(({ userId, minutes = 0 }) => [userId, minutes]))).toEqual([
      [
        ['A', 1],
        ['B', 1],
      ],
      [['A', 0]],
      [['A', 2]],
    ]);
  });
});
