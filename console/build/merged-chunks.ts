// Makes the bundler put modules that lazy parts share into few files, as planned from the whole graph.
import type { Plugin } from 'vite';
import { planSharedFiles } from './shared-files.ts';

/** Those of packages are no business of the plan: an import of a whole package says nothing of what is used. */
const OWN_MODULE = /^(?!.*[\\/]node_modules[\\/])/;

export interface MergedChunks {
  readonly plugin: Plugin;
  /** The file of a module, null where the bundler decides. */
  readonly nameOf: (id: string) => string | null;
}

export function mergedChunks(): MergedChunks {
  const names = new Map<string, string>();
  const plugin: Plugin = {
    name: 'merged-chunks',
    apply: 'build',
    buildEnd() {
      const modules = [...this.getModuleIds()]
        .filter((id) => OWN_MODULE.test(id))
        .toSorted()
        .flatMap((id) => this.getModuleInfo(id) ?? []);
      const graph = modules.map((info) => {
        const { importedIds, dynamicallyImportedIds, isEntry, code } = info;
        const module = { imports: importedIds, lazyImports: dynamicallyImportedIds, isPage: isEntry };
        return [info.id, { ...module, bytes: code?.length ?? 0 }] as const;
      });
      for (const [at, file] of planSharedFiles(new Map(graph)).entries())
        for (const id of file) names.set(id, `shared-${at}`);
    },
  };
  return { plugin, nameOf: (id) => names.get(id) ?? null };
}
