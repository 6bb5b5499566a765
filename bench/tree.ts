// npm run bench:tree: CPU time of the tree model at 100,000 nodes: load, search, checks, opening, lazy children, and the heap (≤ 150 ms, ≤ 50 ms, ≤ 40 MB).
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openTo, setOpen, visibleRows } from '../rules/tree/expansion.ts';
import { flatTree } from '../rules/tree/flat-tree.ts';
import { graft, graftFlags } from '../rules/tree/graft.ts';
import { initialChecks, setChecked } from '../rules/tree/tree-check.ts';
import type { TreeNode } from '../rules/tree/tree-node.ts';
import { searchTexts, searchTree } from '../rules/tree/tree-search.ts';

const ROUNDS = 15;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** 8 regions of 20 sites of 24 recorders of 25 channels: 100,008 nodes. */
function roots(): TreeNode[] {
  const many = (count: number, make: (at: number) => TreeNode) => Array.from({ length: count }, (_, at) => make(at));
  return many(8, (a) => ({
    id: `${a}`,
    name: `Region ${a}`,
    children: many(20, (b) => ({
      id: `${a}.${b}`,
      name: `Site ${b} 园区`,
      children: many(24, (c) => ({
        id: `${a}.${b}.${c}`,
        name: `Recorder ${c}`,
        children: many(25, (d) => ({ id: `${a}.${b}.${c}.${d}`, name: `Camera ${a}${b}${c}-${d} 大门` })),
      })),
    })),
  }));
}

function time(name: string, limit: number | null, run: () => unknown): void {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(startedAt);
    return (user + system) / 1000;
  }).sort((one, other) => one - other);
  const median = times[Math.floor(ROUNDS / 2)] ?? 0;
  const worst = times.at(-1) ?? 0;
  const verdict = limit === null ? '' : `   limit ${limit} ms: ${worst <= limit ? 'held' : 'BROKEN'}`;
  process.stdout.write(`${name.padEnd(34)} median ${median.toFixed(1)} ms   worst ${worst.toFixed(1)} ms${verdict}\n`);
}

const nodes = roots();
collect();
const before = process.memoryUsage();
const tree = flatTree(nodes);
const open = openTo(tree, 9);
const texts = searchTexts(tree, (node) => node.name);
const checks = initialChecks(tree);
const rows = visibleRows(tree, open);
collect();
const after = process.memoryUsage();
const heldMb = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6;
process.stdout.write(`${tree.size} nodes, ${rows.length} rows open\n`);
time('load: flatten, open, texts, rows', 150, () => {
  const loaded = flatTree(nodes);
  searchTexts(loaded, (node) => node.name);
  visibleRows(loaded, openTo(loaded, 9));
});
for (const keyWord of ['大门', 'c', 'camera 3', 'nothing here'])
  time(`key press: search "${keyWord}"`, 50, () => {
    const found = searchTree(tree, texts, keyWord);
    if (found !== null) visibleRows(tree, found.open, found.shown);
  });
let isChecked = false;
time('key press: check a region', 50, () => {
  isChecked = !isChecked;
  setChecked(tree, checks, { index: 0, isChecked });
});
time('key press: check one camera', 50, () => setChecked(tree, checks, { index: 99_000, isChecked: true }));
time('key press: close and open a region', 50, () => {
  const closed = setOpen(open, 0, false);
  visibleRows(tree, closed);
  visibleRows(tree, setOpen(closed, 0, true));
});
const more = Array.from({ length: 20 }, (_, at) => ({ id: `more ${at}`, name: `More ${at}` }));
time('20 lazy children arrive', 150, () => graftFlags(open, graft(tree, 3, more)));
process.stdout.write(
  `heap of the model beside the nodes: ${heldMb.toFixed(1)} MB   limit 40 MB: ${heldMb <= 40 ? 'held' : 'BROKEN'}\n`,
);
