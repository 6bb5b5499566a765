// The table of branch coverage per room, and which rooms are below what they must reach.

import { measuredRooms } from './coverage-goals.js';

/** @typedef {import('./file-branches.js').Branch} Branch */
/** @typedef {import('./coverage-goals.js').Room} Room */
/** @typedef {{ room: Room, taken: number, all: number, percent: number, isLow: boolean }} Row */

/**
 * @param {Map<string, Branch[]>} files
 * @param {Room[]} rooms
 * @returns {Row[]}
 */
export function judgeRooms(files, rooms = measuredRooms) {
  return rooms.map((room) => {
    const ways = [...files].filter(([name]) => room.files.test(name)).flatMap(([, list]) => waysOf(list));
    const taken = ways.filter((count) => count > 0).length;
    // One decimal, rounded down: 94.96 is no 95.
    const percent = ways.length === 0 ? 0 : Math.floor((1000 * taken) / ways.length) / 10;
    return { room, taken, all: ways.length, percent, isLow: percent < room.least };
  });
}

/**
 * @param {Row[]} rows
 * @param {boolean} isJudged false for a part of the suites, which takes fewer branches
 */
export function coverageTable(rows, isJudged) {
  const lines = rows.map(({ room: { name, least, goal }, taken, all, percent, isLow }) => {
    const word = isJudged ? (isLow ? 'RED  ' : 'green') : '     ';
    const figures = `${`${percent.toFixed(1)} %`.padStart(8)}  ${`${taken}/${all}`.padStart(11)}`;
    return `${word} ${name.padEnd(14)} ${figures}  at least ${least} %${goal === undefined ? '' : `, goal ${goal} %`}`;
  });
  return ['branches taken by the tests', ...lines].join('\n');
}

/**
 * Branches that no test took, as `file:line kind`.
 * @param {Map<string, Branch[]>} files
 */
export function untakenBranches(files) {
  return [...files].flatMap(([name, list]) =>
    list.flatMap(({ line, kind, counts }) => {
      const untaken = counts.flatMap((count, at) => (count > 0 ? [] : [at + 1]));
      return untaken.length === 0 ? [] : [`${name}:${line} ${kind}, way ${untaken.join(', ')} of ${counts.length}`];
    }),
  );
}

/** @param {Branch[]} list */
function waysOf(list) {
  return list.flatMap(({ counts }) => counts);
}
