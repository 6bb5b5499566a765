// Shared files: fewer requests, nothing that is loaded without need, and no files that import each other.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphModule, type ModuleGraph, planSharedFiles } from './shared-files.ts';

interface Named extends Partial<GraphModule> {
  readonly id: string;
}

function graphOf(...modules: readonly Named[]): ModuleGraph {
  const usual = { imports: [], lazyImports: [], isPage: false, bytes: 100 };
  return new Map(modules.map(({ id, ...module }) => [id, { ...usual, ...module }]));
}

/** Files that import each other, also by way of others. */
function isCircular(files: readonly (readonly string[])[], graph: ModuleGraph): boolean {
  const fileOf = new Map(files.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  const importedBy = (at: number): number[] =>
    (files[at] ?? [])
      .flatMap((id) => graph.get(id)?.imports ?? [])
      .flatMap((id) => fileOf.get(id) ?? [])
      .filter((other) => other !== at);
  const ended = new Set<number>();
  const leadsBack = (at: number, path: readonly number[]): boolean => {
    if (path.includes(at)) return true;
    if (ended.has(at)) return false;
    const found = importedBy(at).some((other) => leadsBack(other, [...path, at]));
    ended.add(at);
    return found;
  };
  return files.some((_, at) => leadsBack(at, []));
}

describe('shared files', () => {
  it('hold what at least two parts load; the rest stays with its part', () => {
    const graph = graphOf(
      { id: 'page', isPage: true, lazyImports: ['one', 'two'] },
      { id: 'one', imports: ['both', 'own'] },
      { id: 'two', imports: ['both'] },
      { id: 'both' },
      { id: 'own' },
    );
    expect(planSharedFiles(graph)).toEqual([['both']]);
  });

  it('become one where a request costs more than the bytes that a part does not need', () => {
    const parts = [
      { id: 'page', isPage: true, lazyImports: ['one', 'two', 'three'] },
      { id: 'one', imports: ['some', 'all'] },
      { id: 'two', imports: ['some', 'all'] },
      { id: 'three', imports: ['all'] },
    ];
    const small = graphOf(...parts, { id: 'some' }, { id: 'all' });
    expect(planSharedFiles(small).map((file) => file.toSorted())).toEqual([['all', 'some']]);
    const large = graphOf(...parts, { id: 'some', bytes: 1_000_000 }, { id: 'all' });
    expect(planSharedFiles(large)).toHaveLength(2);
  });

  it('count nothing for a part that comes after another one that has it', () => {
    const graph = graphOf(
      { id: 'page', isPage: true, lazyImports: ['shell'] },
      { id: 'other page', isPage: true, imports: ['large'] },
      { id: 'shell', imports: ['large'], lazyImports: ['screen'] },
      { id: 'screen', imports: ['large', 'small'], lazyImports: ['dialog'] },
      { id: 'dialog', imports: ['small'] },
      { id: 'large', bytes: 10_000 },
      { id: 'small' },
    );
    // As one, the dialog would load more, and the screen, which has the large one from the shell, no file less.
    const files = planSharedFiles(graph);
    expect(files.map((file) => file.length)).toEqual([1, 1]);
  });

  it('stay two where a module between them would make the files import each other', () => {
    const graph = graphOf(
      { id: 'page', isPage: true, imports: ['top', 'middle', 'bottom'], lazyImports: ['one', 'two'] },
      { id: 'one', imports: ['top'] },
      { id: 'two', imports: ['top'] },
      { id: 'top', imports: ['middle'] },
      { id: 'middle', imports: ['bottom'], bytes: 1_000_000 },
      { id: 'bottom' },
      { id: 'second page', isPage: true, imports: ['middle'] },
      { id: 'third page', isPage: true, imports: ['bottom'] },
    );
    const files = planSharedFiles(graph);
    expect(isCircular(files, graph)).toBe(false);
  });

  it('never import each other, whatever the graph', () => {
    const ids = Array.from({ length: 24 }, (_, at) => `m${at}`);
    // A module imports only later ones: graphs of modules have no circles here.
    const modules = fc.tuple(
      ...ids.map((id, at) =>
        fc.record({
          id: fc.constant(id),
          imports: fc.subarray(ids.slice(at + 1), { maxLength: Math.min(4, ids.length - at - 1) }),
          lazyImports: fc.subarray(ids, { maxLength: 2 }),
          isPage: fc.constant(at === 0),
          bytes: fc.constantFrom(10, 1000, 100_000),
        }),
      ),
    );
    fc.assert(
      fc.property(modules, (some) => {
        const graph = graphOf(...some);
        const files = planSharedFiles(graph);
        expect(isCircular(files, graph)).toBe(false);
        const held = files.flat();
        expect(new Set(held).size).toBe(held.length);
      }),
      { numRuns: 200 },
    );
  });
});
