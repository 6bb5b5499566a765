// The product's own ports, which no camera address may name.
import { expect, it } from 'vitest';
import { ownPorts } from './ports.js';

it.each([
  [null, [8800]],
  ['postgres:///vedette?host=/run/postgresql&user=vedette', [8800]],
  ['postgres://user:secret@localhost/vedette', [8800, 5432]],
  ['postgresql://user:secret@[::1]:6543/vedette', [8800, 6543]],
  ['postgres://user:secret@a:5433,b,[::1]:5434/vedette', [8800, 5433, 5432, 5434]],
])('[SE-64] with the database at %s they are %j', (url, ports) => expect(ownPorts(8800, url)).toEqual(ports));

it('[SE-64] the port between servers is among them where there is one', () =>
  expect(ownPorts(8800, null, 8810)).toEqual([8800, 8810]));
