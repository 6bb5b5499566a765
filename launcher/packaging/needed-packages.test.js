// Which packages are shipped: those that are imported, and what they need, where Node would find it.
import { expect, it } from 'vitest';
import { importedPackages, neededFolders } from './needed-packages.js';

it('reads the packages that a module imports', () => {
  const text = `
    import pg from 'pg';
    import { z } from 'zod/v4';
    import type { Clock } from '@vedette/foundation/time/clock.ts';
    import fs from 'node:fs';
    import { own } from './own.ts';
    export { x } from '@scope/part/deep.js';
    const later = () => import('mqtt');
    const place = require.resolve('axe-core/axe.min.js');
  `;
  expect(importedPackages(text).toSorted()).toEqual(['@scope/part', 'axe-core', 'mqtt', 'pg', 'zod']);
});

it('follows what they need, the nested one before that of the root, and skips what is not installed', () => {
  const lock = {
    'node_modules/pg': { dependencies: { 'pg-types': '1', split: '2' }, optionalDependencies: { 'pg-native': '1' } },
    'node_modules/pg-types': { dependencies: { pg: '1' } },
    'node_modules/pg/node_modules/split': { dependencies: { deep: '1' } },
    'node_modules/split': {},
    'node_modules/deep': {},
    'node_modules/pg-native': {},
    'node_modules/vite': {},
    'node_modules/@vedette/rules': { link: true },
  };
  const isInstalled = (/** @type {string} */ folder) => folder !== 'node_modules/pg-native';
  expect(neededFolders(lock, ['pg', '@vedette/rules', 'nowhere'], isInstalled)).toEqual([
    'node_modules/deep',
    'node_modules/pg',
    'node_modules/pg-types',
    'node_modules/pg/node_modules/split',
  ]);
});
