// Packages come as the lockfile says: whole by their hash, without a program of theirs that runs at the installation.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from './source-files.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

it('[SE-99] [GO-14] (npm 2025 and 2026) each package of others has one version and the hash of it', () => {
  const ofOthers = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
  expect(ofOthers.length).toBeGreaterThan(100);
  const loose = ofOthers.filter(
    ([, { version, integrity }]) => !/^\d/u.test(version ?? '') || !integrity?.startsWith('sha512-'),
  );
  expect(loose.map(([place]) => place)).toEqual([]);
});

it('[SE-99] [GO-14] (npm 2025 and 2026) no program of a package runs when it is installed', () => {
  expect(readFileSync(`${root}/.npmrc`, 'utf8')).toMatch(/^ignore-scripts=true$/mu);
});
