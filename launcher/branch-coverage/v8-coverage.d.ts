// Types of the one function that we use of @bcoe/v8-coverage, which brings none.
declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector';

  export function mergeScriptCovs(scripts: readonly Profiler.ScriptCoverage[]): Profiler.ScriptCoverage | undefined;
}
