// How many branches of each room the tests must take.

/**
 * `least`: percent below which a whole run with `--coverage` is red; raised to what is measured, never lowered. `goal`: where it is to go, absent where it is there.
 * @typedef {{ name: string, files: RegExp, least: number, goal?: number }} Room
 */

/** @type {Room[]} */
export const measuredRooms = [
  { name: 'foundation', files: /^foundation\//, least: 95 },
  { name: 'contract', files: /^contract\//, least: 80 },
  { name: 'bridge', files: /^bridge\//, least: 90 },
  { name: 'rules', files: /^rules\//, least: 95 },
  { name: 'protocols', files: /^protocols\//, least: 95 },
  { name: 'drivers', files: /^drivers\//, least: 85 },
  { name: 'media', files: /^media\//, least: 85 },
  { name: 'site', files: /^site\//, least: 85 },
  { name: 'gateway', files: /^gateway\//, least: 85 },
  { name: 'server', files: /^server\//, least: 85 },
  { name: 'player logic', files: /^player\//, least: 80 },
  { name: 'console logic', files: /^console\//, least: 80 },
  { name: 'launcher', files: /^launcher\//, least: 60 },
];

/**
 * Logic alone: a component (`.tsx`) does most of its work in browsers, where nothing is measured. What exists for tests is no part of it.
 * @param {string} file relative to the root
 */
export function isMeasured(file) {
  return (
    /\.(ts|js)$/.test(file) &&
    !/\.(test|spec|fake|fixture|config|d)\.(ts|js)$|(^|\/)(node_modules|dist)\//.test(file) &&
    measuredRooms.some(({ files }) => files.test(file))
  );
}
