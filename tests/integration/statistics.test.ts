// Traffic in the statistics of a running product: what a viewer was really sent is counted for it, once, over a restart of everything.
import type { Statistics } from '@vedette/contract/calls/statistic.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const OPERATOR = ['operator', 'Watch-2026'] as const;
/** The site reports each minute. */
const COUNTED_WITHIN_MS = 120_000;
/** What the gateway has not reported of a viewer, when everything stops, is lost. */
const UNREPORTED_BYTES = 256 * 1024;
const ENOUGH_BYTES = 4 * UNREPORTED_BYTES;

let product: Product;
let operator: ApiClient;

beforeAll(async () => {
  product = await Product.start({ demo: true });
  operator = await product.setUp(...OPERATOR);
}, 120_000);
afterAll(async () => {
  await product?.stop(false);
});

const figure = ({ figureList }: Statistics, name: string): number =>
  figureList.find((one) => one.figure === name)?.value ?? 0;

it('[RS-06] counts what was received and sent, by channel and viewer, once', async () => {
  const deviceSerial = await waitFor(
    'a camera that is online',
    async () => (await operator.ok('device/list', { status: 1 })).deviceList[0]?.deviceSerial,
    60_000,
  );
  const { ticket } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 0 });
  const viewer = await LiveViewer.open(product.url, ticket);
  const received = () => viewer.fragments.reduce((sum, { payload }) => sum + payload.length, 0);
  // Some of the demo's cameras send 100 kbit/s.
  await waitFor('a megabyte of pictures', () => received() > ENOUGH_BYTES, 150_000);
  const watched = received();
  viewer.close();
  const { data } = product;
  await product.stop(true);
  product = await Product.start({ data, demo: true });
  operator = await product.signIn(...OPERATOR);
  const told = await waitFor(
    'the traffic to be counted',
    async () => {
      const now = await operator.ok('stat/traffic', { range: 'day' });
      // Reports of several devices come one after the other.
      return figure(now, 'outBytes') >= watched - UNREPORTED_BYTES && figure(now, 'inBytes') >= watched && now;
    },
    COUNTED_WITHIN_MS,
  );
  // What was on its way when the viewer left, too.
  expect(figure(told, 'outBytes')).toBeLessThan(2 * watched);
  expect(figure(told, 'relayBytes')).toBe(0);
  const rowsOf = (name: string) => told.breakdownList.find(({ breakdown }) => breakdown === name)?.rowList ?? [];
  expect(rowsOf('trafficByViewer').map(({ key }) => key)).toEqual([OPERATOR[0]]);
  expect(rowsOf('trafficByChannel').map(({ key }) => key)).toContain(`${deviceSerial} 1`);
}, 300_000);
