// Plans which modules that several lazy parts of the console share are loaded as one file: fewer requests, and no files that import each other.

/** Of one module, by its id in the bundler's graph. */
export interface GraphModule {
  readonly imports: readonly string[];
  readonly lazyImports: readonly string[];
  /** Opened by a page of its own. */
  readonly isPage: boolean;
  /** Of source. */
  readonly bytes: number;
}
export type ModuleGraph = ReadonlyMap<string, GraphModule>;

interface SharedFile {
  readonly modules: readonly string[];
  /** That load it and did not have it before. */
  readonly parts: ReadonlySet<string>;
  readonly bytes: number;
}

/** A request is worth so many bytes of source that its part does not need. */
const REQUEST_BYTES = 25_000;

/**
 * The modules of each shared file. *Parts* are pages and what is imported lazily; a module of one part alone stays with it.
 *
 * Modules that the same parts load make a file first. What a file imports is loaded by all its parts and by more, so these files
 * import each other in one direction. Then pairs become one where that costs all parts together the least bytes and requests, and
 * where nothing between the two would import the file that it is imported by.
 */
export function planSharedFiles(graph: ModuleGraph): (readonly string[])[] {
  let files = filesOfSameParts(graph);
  for (;;) {
    const [one, other] = bestPair(files, graph) ?? [];
    if (one === undefined || other === undefined) return files.map(({ modules }) => modules);
    files = [...files.filter((file) => file !== one && file !== other), merged(one, other)];
  }
}

function filesOfSameParts(graph: ModuleGraph): SharedFile[] {
  const reached = new Map(partsOf(graph).map((part) => [part, reachedFrom(part, graph)]));
  const had = hadBefore(reached, graph);
  const files = new Map<string, { modules: string[]; parts: Set<string>; bytes: number }>();
  for (const [id, { bytes }] of graph) {
    const parts = [...reached.keys()].filter((part) => reached.get(part)?.has(id));
    if (parts.length < 2) continue;
    const key = parts.join('\n');
    const file = files.get(key) ?? { modules: [], parts: new Set(), bytes: 0 };
    file.modules.push(id);
    file.bytes += bytes;
    for (const part of parts) if (!had.get(part)?.has(id)) file.parts.add(part);
    files.set(key, file);
  }
  return [...files.values()];
}

function partsOf(graph: ModuleGraph): string[] {
  const parts = new Set<string>();
  for (const [id, { isPage, lazyImports }] of graph) {
    if (isPage) parts.add(id);
    for (const lazy of lazyImports) if (graph.has(lazy)) parts.add(lazy);
  }
  return [...parts];
}

function reachedFrom(part: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>();
  const open = [part];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const module = graph.get(id);
    if (module === undefined || reached.has(id)) continue;
    reached.add(id);
    open.push(...module.imports);
  }
  return reached;
}

/** What is loaded whichever way leads to a part: nothing before a page. */
function hadBefore(reached: ReadonlyMap<string, Set<string>>, graph: ModuleGraph): Map<string, Set<string>> {
  const had = new Map<string, Set<string>>();
  const isPage = (part: string): boolean => graph.get(part)?.isPage === true;
  for (const part of reached.keys()) if (isPage(part)) had.set(part, new Set());
  const ways = new Map([...reached.keys()].filter((part) => !isPage(part)).map((part) => [part, waysTo(part)]));
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [part, leading] of ways) {
      const now = commonTo(leading.flatMap((way) => loadedBy(way) ?? []));
      hasChanged ||= now !== null && had.get(part)?.size !== now.size;
      if (now !== null) had.set(part, now);
    }
  }
  return had;

  /** Parts that import it. */
  function waysTo(part: string): string[] {
    const importers = [...graph].filter(([, { lazyImports }]) => lazyImports.includes(part)).map(([id]) => id);
    return [...reached.keys()].filter((way) => importers.some((id) => reached.get(way)?.has(id)));
  }

  function loadedBy(part: string): Set<string> | null {
    const before = had.get(part);
    return before === undefined ? null : new Set([...before, ...(reached.get(part) ?? [])]);
  }
}

/** Null of no sets. */
function commonTo([first, ...others]: readonly Set<string>[]): Set<string> | null {
  if (first === undefined) return null;
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}

function merged(one: SharedFile, other: SharedFile): SharedFile {
  return {
    modules: [...one.modules, ...other.modules],
    parts: new Set([...one.parts, ...other.parts]),
    bytes: one.bytes + other.bytes,
  };
}

/** Bytes and requests that become fewer if two files become one; negative where they become more. */
function gainOf(one: SharedFile, other: SharedFile): number {
  const common = [...one.parts].filter((part) => other.parts.has(part)).length;
  const needless = (other.parts.size - common) * one.bytes + (one.parts.size - common) * other.bytes;
  return common * REQUEST_BYTES - needless;
}

/** Null where no pair is cheaper as one. */
function bestPair(files: readonly SharedFile[], graph: ModuleGraph): [SharedFile, SharedFile] | null {
  const pairs = files.flatMap((one, at) =>
    files.slice(at + 1).map((other) => ({ one, other, gain: gainOf(one, other) })),
  );
  const imports = importsBetween(files, graph);
  const best = pairs
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => b.gain - a.gain)
    .find(({ one, other }) => !leadsBack(one, other, imports) && !leadsBack(other, one, imports));
  return best === undefined ? null : [best.one, best.other];
}

type Imports = ReadonlyMap<SharedFile, ReadonlySet<SharedFile>>;

function importsBetween(files: readonly SharedFile[], graph: ModuleGraph): Imports {
  const fileOf = new Map(files.flatMap((file) => file.modules.map((id) => [id, file] as const)));
  return new Map(
    files.map((file) => {
      const imported = file.modules.flatMap((id) => graph.get(id)?.imports ?? []).map((id) => fileOf.get(id));
      return [file, new Set(imported.filter((one) => one !== undefined && one !== file))] as const;
    }),
  ) as Imports;
}

/** Whether `from` imports `to` by way of a third file: as one, the two would import what imports them. */
function leadsBack(from: SharedFile, to: SharedFile, imports: Imports): boolean {
  const seen = new Set<SharedFile>();
  const open = [...(imports.get(from) ?? [])].filter((file) => file !== to);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === to) return true;
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...(imports.get(file) ?? []));
  }
  return false;
}
