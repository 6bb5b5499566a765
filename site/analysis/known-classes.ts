// Which classes are really looked for: those that tasks are about and that the model of their channel knows.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';

type Classes = ReadonlySet<ObjectClass>;

/** Answers the same set as long as both are the same. `known`: null of a model that is not listed. */
export function knownClasses(): (watched: Classes | null, known: readonly ObjectClass[] | null) => Classes | null {
  let held: { readonly watched: Classes; readonly known: readonly ObjectClass[]; readonly both: Classes } | null = null;
  return (watched, known) => {
    if (watched === null || known === null) return null;
    if (held?.watched !== watched || held.known !== known)
      held = { watched, known, both: new Set([...watched].filter((one) => known.includes(one))) };
    return held.both;
  };
}
