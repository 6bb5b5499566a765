// Finds the branches of a source file, and which of them ran.

import { stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import convert from 'ast-v8-to-istanbul';
import { parseAst } from 'vite';

/** @typedef {{ line: number, kind: string, counts: number[] }} Branch `counts`: how often each of its ways was taken */
/** @typedef {import('node:inspector').Profiler.FunctionCoverage} FunctionCoverage */

/**
 * Branches in the order of the text. Removing types leaves blanks, so the offsets of a process that Node ran from TypeScript hold here.
 * @param {{ file: string, text: string, functions: FunctionCoverage[] }} source `file`: absolute. `functions`: none where no process loaded it
 * @returns {Promise<Branch[]>}
 */
export async function branchesOfFile({ file, text, functions }) {
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const url = pathToFileURL(file).href;
  const neverRan = [{ functionName: '', isBlockCoverage: true, ranges: [range(code, 0)] }];
  const found = await convert({
    code,
    ast: /** @type {never} */ (parseAst(code)),
    coverage: { url, functions: functions.length === 0 ? neverRan : functions },
    wrapperLength: 0,
  });
  return Object.values(found).flatMap(listBranches);
}

/**
 * @param {string} code
 * @param {number} count
 */
function range(code, count) {
  return { startOffset: 0, endOffset: code.length, count };
}

/** @typedef {{ branchMap: Record<string, { type: string, line?: number, loc: { start: { line: number } } }>, b: Record<string, number[]> }} CoverageOfFile as Istanbul writes it */

/**
 * @param {CoverageOfFile} coverage
 * @returns {Branch[]}
 */
export function listBranches({ branchMap, b }) {
  return Object.entries(branchMap).map(([id, { type, loc }]) => ({
    line: loc.start.line,
    kind: type,
    counts: [...(b[id] ?? [])],
  }));
}

/**
 * Adds the counts of another measurement of the same file. Both list the branches in the order of the text, but a source map gives some
 * of them another place: they are matched by that order, never by place.
 * @param {Branch[]} into
 * @param {Branch[]} other
 * @returns {boolean} false where they are not of the same text; nothing is added then
 */
export function addBranches(into, other) {
  const isSame = (/** @type {Branch} */ branch, /** @type {number} */ at) =>
    branch.kind === into[at]?.kind && branch.counts.length === into[at].counts.length;
  if (into.length !== other.length || !other.every(isSame)) return false;
  for (const [at, { counts }] of other.entries())
    into[at]?.counts.forEach((count, way, own) => {
      own[way] = count + (counts[way] ?? 0);
    });
  return true;
}
