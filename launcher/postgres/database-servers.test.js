// How DATABASE_URL is read: one server, several, and lists that make no sense.
import { expect, it } from 'vitest';
import { databaseServers } from './database-servers.js';

it.each([
  ['postgres://u:p@a/db', ['a:5432']],
  ['postgres:///vedette?host=%2Frun%2Fpg&user=vedette', ['the local socket']],
  ['postgres://u:p@a:5432,b:5433/db?sslmode=require', ['a:5432', 'b:5433']],
  [
    'postgresql://u:p%40,x@[::1]:5433,[fe80::2],db.example.org/db',
    ['[::1]:5433', '[fe80::2]:5432', 'db.example.org:5432'],
  ],
])('%s', (url, places) => {
  const servers = databaseServers(url);
  expect(servers.map(({ place }) => place)).toEqual(places);
  for (const server of servers)
    expect(new URL(server.url).pathname).toBe(new URL(url.replace(/(@)[^/]*/, '$1x')).pathname);
});

it('each server keeps the user, the database and the settings', () => {
  expect(databaseServers('postgres://u:p@a:1,b:2/db?sslmode=require').map(({ url }) => url)).toEqual([
    'postgres://u:p@a:1/db?sslmode=require',
    'postgres://u:p@b:2/db?sslmode=require',
  ]);
});

it.each([
  ['nonsense', 'is not an address'],
  ['postgres://u:canary@a:5432,a:5432/db', 'names a:5432 twice'],
  ['postgres://u:canary@a,a:5432/db', 'names a:5432 twice'],
  ['postgres://u:canary@A,a/db', 'twice'],
  ['postgres://u:canary@a:99999,b/db', 'is not an address'],
  ['postgres://u:canary@a:0,b/db', 'port 0'],
  ['postgres://u:canary@a:x,b/db', 'is not an address'],
  ['postgres://u:canary@a,,b/db', 'without a host'],
  ['postgres://u:canary@a,/db', 'without a host'],
  ['postgres://u:canary@[::1,b/db', 'is not an address'],
])('refuses %s in words, without its password', (url, word) => {
  const failed = () => databaseServers(url);
  expect(failed).toThrow(word);
  expect(failed).not.toThrow('canary');
});
