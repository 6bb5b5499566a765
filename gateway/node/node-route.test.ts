// Tests of which server a request is for.
import { expect, it } from 'vitest';
import { ticketOn } from '@vedette/contract/node-ticket.ts';
import { nodeOfRequest } from './node-route.ts';

const NODE = '0123456789abcdef01234567';
const TICKET = ticketOn(NODE, 'x'.repeat(43));

it.each([
  [`/media/hls/${TICKET}/index.m3u8`, NODE],
  [`/media/snapshot/${TICKET}`, NODE],
  [`/media/talk/${TICKET}?x=1`, NODE],
  [`/media/hls/${'x'.repeat(43)}/index.m3u8`, null],
  [`/media/live#${TICKET}`, null],
  [`/api/v1/media/hls/${TICKET}`, null],
  [`//media/hls/${TICKET}`, null],
  [undefined, null],
])('%s', (url, nodeId) => {
  expect(nodeOfRequest({ url, headers: {} })).toBe(nodeId);
});

it('a tunnel of a remote site goes by its token alone', () => {
  const authorization = `Bearer ${TICKET}`;
  expect(nodeOfRequest({ url: '/media/uplink', headers: { authorization } })).toBe(NODE);
  expect(nodeOfRequest({ url: '/media/uplink', headers: {} })).toBeNull();
  expect(nodeOfRequest({ url: '/media/snapshot/none', headers: { authorization } })).toBeNull();
});
