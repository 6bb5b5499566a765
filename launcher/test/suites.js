// The suites of `npm test`: their order, which run beside each other, and which one a file belongs to.

/** @typedef {import('./run-suite.js').Suite} Suite */

/**
 * Cheap and telling ones first. Where `isBeside`, a suite runs at the same time as the one before it: in one process, whose lanes take
 * the next file as soon as they are free.
 */
export const suites = [
  { name: 'unit', projects: ['unit', 'component', 'project'] },
  { name: 'fuzz', projects: ['fuzz'], isBeside: true },
  { name: 'contract', projects: ['contract'], startsProcesses: true },
  { name: 'integration', projects: ['integration'], isBeside: true, opensConsole: true, startsProcesses: true },
  { name: 'faults', projects: ['faults', 'abuse'], isBeside: true, opensConsole: true, startsProcesses: true },
  { name: 'browser', projects: ['browser'], opensConsole: true, startsProcesses: true },
];
/** Beside large programs of others; run where it is named. */
export const peers = { name: 'peers', projects: ['peers'], opensConsole: true, startsProcesses: true };

/** @param {string} file */
export function suiteOf(file) {
  if (file.endsWith('.peers.test.ts') || file.endsWith('.peers.spec.ts')) return peers.name;
  const [, folder] = /^tests\/(\w+)\//.exec(file) ?? [];
  if (folder === undefined || folder === 'project' || folder === 'soak') return 'unit';
  return folder === 'abuse' ? 'faults' : folder;
}

/**
 * Suites that run beside each other are one.
 * @param {Suite[]} chosen
 */
export function joined(chosen) {
  /** @type {Suite[]} */
  const runs = [];
  for (const suite of chosen) {
    const last = runs.at(-1);
    if (suite.isBeside && last)
      runs.splice(-1, 1, {
        ...last,
        name: `${last.name}, ${suite.name}`,
        projects: [...last.projects, ...suite.projects],
        ...((last.opensConsole || suite.opensConsole) && { opensConsole: true }),
        ...((last.files || suite.files) && { files: [...(last.files ?? []), ...(suite.files ?? [])] }),
      });
    else runs.push(suite);
  }
  return runs;
}
