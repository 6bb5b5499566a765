// Masks keep objects out of sightings: where they stand, of the class that a task is about, and unless another task looks there.
import { expect, it } from 'vitest';
import { order, region, SQUARE } from '../made-order.fake.ts';
import { unmaskedPlaces } from './masked-places.ts';

const mask = region('mask', SQUARE);
const at = (x: number, y: number, objectClass: 'person' | 'vehicle' = 'person') => ({
  objectClass,
  box: { x: x - 0.05, y: y - 0.2, width: 0.1, height: 0.2 },
});
const isTold = (orders: Parameters<typeof unmaskedPlaces>[0], one: ReturnType<typeof at>) =>
  unmaskedPlaces(orders)(one, 16 / 9);

it('an object with its foot in a mask is not told, one beside it is', () => {
  const orders = [order('intrusion', [mask])];
  expect(isTold(orders, at(0.5, 0.6))).toBe(false);
  expect(isTold(orders, at(0.5, 0.95))).toBe(true);
  expect(isTold(orders, at(0.1, 0.6))).toBe(true);
  // The head is in the mask, the foot is below it.
  expect(isTold(orders, at(0.5, 0.92))).toBe(true);
});

it('a task that looks there without a mask tells of its own classes alone', () => {
  const orders = [order('intrusion', [mask]), order('counting', [], { classes: ['vehicle'] })];
  expect(isTold(orders, at(0.5, 0.6))).toBe(false);
  expect(isTold(orders, at(0.5, 0.6, 'vehicle'))).toBe(true);
  expect(isTold([...orders, order('loitering', [])], at(0.5, 0.6))).toBe(true);
});

it('people are told of by a task for bags that are left', () => {
  const orders = [order('objectLeft', [mask], { classes: ['bag'] })];
  expect(isTold(orders, at(0.1, 0.6))).toBe(true);
  expect(isTold(orders, at(0.5, 0.6))).toBe(false);
});

it('a mask of two points masks nothing', () => {
  const orders = [order('intrusion', [region('mask', SQUARE.slice(0, 2))])];
  expect(isTold(orders, at(0.5, 0.4))).toBe(true);
});
