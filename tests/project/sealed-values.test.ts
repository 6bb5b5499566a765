// Nothing that is sealed with the master key is forgotten when that key is changed: columns, settings and files are compared with the sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SEALED_COLUMNS } from '../../server/master-key/sealed-columns.ts';
import { SEALED_FILES } from '../../site/state/sealed-files.ts';
import { filesBelow, root } from './source-files.ts';

/** Columns of bytes that are not sealed: hashes and salts, and pictures and media that lie in the open. */
const OPEN_COLUMN = /(?:_hash|\.hash|_salt|\.picture)$|^alarm_picture\.data$/;

/** Code that seals, beside what the two lists name, and why it needs no place in them. */
const SEALS_OTHERWISE: Readonly<Record<string, string>> = {
  'alarm-snapshot/snapshot-copies.ts': 'objects in stores: earlier keys stay able to open them',
  'features/backup/backup-plan.handlers.ts': 'the plan file: reseal-plan-file.ts',
  'master-key/key-record.ts': 'the earlier keys, sealed by the change itself',
  'master-key/resealer.ts': 'the change itself',
  'site-link/device-secrets.ts': 'device.credentials',
};

it('every column of bytes is sealed anew, or known not to be sealed', () => {
  const schema = readFileSync(join(root, 'server/database/schema.snapshot.txt'), 'utf8');
  const columns = [...schema.matchAll(/^column ([a-z_]+\.[a-z_]+) bytea/gm)].map(([, name = '']) => name);
  expect(columns.length).toBeGreaterThan(30);
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(columns.filter((name) => !OPEN_COLUMN.test(name)).toSorted()).toEqual(sealed.toSorted());
});

it('the code that seals something is named beside what it seals', () => {
  const lists = ['sealed-columns.ts', 'sealed-settings.ts'].map((name) =>
    readFileSync(join(root, 'server/master-key', name), 'utf8'),
  );
  const named = lists.flatMap((text) => [...text.matchAll(/[\w/.-]+\.ts(?=[,\n])/g)].map(([name]) => name));
  const sealing = filesBelow('server', /(?<!\.test)\.ts$/)
    .filter(({ text }) => /[bB]ox\.seal\(|#to\.seal\(/.test(text))
    .map(({ name }) => name.replace('server/', ''));
  expect(sealing.length).toBeGreaterThan(15);
  const known = new Set([...named, ...Object.keys(SEALS_OTHERWISE)]);
  expect(sealing.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !sealing.includes(name))).toEqual([]);
});

it('every sealed file of a site is sealed anew', () => {
  const used = filesBelow('site', /(?<!\.test)\.ts$/).flatMap(({ text }) => [
    ...text.matchAll(/'([a-z]+\.sealed)'\)[^}]*purpose: '(\w+)'/g),
  ]);
  const found = Object.fromEntries(used.map(([, name = '', purpose = '']) => [purpose, name]));
  expect(found).toEqual(SEALED_FILES);
});
