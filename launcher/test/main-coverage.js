// `npm run coverage`: the branch coverage of the last measured run; with paths, the branches below them that no test took.

import path from 'node:path';
import { root } from '../bootstrap/install.js';
import { filesOf } from './affected-tests.js';
import { coverageTable, judgeRooms, untakenBranches } from '../branch-coverage/coverage-table.js';
import { readCoverage } from '../branch-coverage/read-coverage.js';

const paths = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isJudged = process.argv.includes('--judge');
const files = await readCoverage(path.join(root, '.vedette', 'coverage'), { root, files: filesOf(root) });
const rows = judgeRooms(files);
const below = new Map([...files].filter(([name]) => paths.some((start) => name.startsWith(start))));
const text = paths.length === 0 ? coverageTable(rows, isJudged) : untakenBranches(below).join('\n');
process.stdout.write(`${text}\n`);
process.exitCode = isJudged && rows.some(({ isLow }) => isLow) ? 1 : 0;
