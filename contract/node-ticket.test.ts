// Tests of tickets that name the server which serves them.
import { expect, it } from 'vitest';
import { nodeOfTicket, ticketOn, withoutNodeTicket } from './node-ticket.ts';
import { remoteTicket, siteOfTicket } from './remote-site.ts';

const NODE = '0123456789abcdef01234567';
const SITE = 'fedcba9876543210fedcba98';
const SECRET = 'x'.repeat(43);

it('names the server, and the remote site behind it', () => {
  const far = ticketOn(NODE, remoteTicket(SITE, SECRET));
  expect([nodeOfTicket(far), siteOfTicket(far)]).toEqual([NODE, SITE]);
  const near = ticketOn(NODE, SECRET);
  expect([nodeOfTicket(near), siteOfTicket(near)]).toEqual([NODE, null]);
});

it('finds none in what names none', () => {
  for (const ticket of [
    SECRET,
    remoteTicket(SITE, SECRET),
    `on-${NODE}`,
    `on-${NODE}-short`,
    `on-${SITE.slice(1)}-${SECRET}`,
    '',
  ])
    expect(nodeOfTicket(ticket), ticket).toBeNull();
});

it('leaves a path of an endpoint as it is known there', () => {
  expect(withoutNodeTicket(`/media/talk/${ticketOn(NODE, SECRET)}`)).toBe('/media/talk');
  expect(withoutNodeTicket('/media/talk')).toBe('/media/talk');
  expect(withoutNodeTicket(`/media/talk/${SECRET}`)).toBe(`/media/talk/${SECRET}`);
});
