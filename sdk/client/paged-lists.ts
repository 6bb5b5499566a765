// Lists that come in pages: which calls they are, how they count their pages, and where their rows stand.
import type { Calls } from './call-types.ts';

type Paged<P extends keyof Calls> = Calls[P]['answer'] extends { readonly total: number }
  ? 'pageStart' extends keyof Calls[P]['input']
    ? P
    : 'pageNo' extends keyof Calls[P]['input']
      ? P
      : never
  : never;

/** Calls that answer a page of rows and the total of all. */
export type PagedPath = { [P in keyof Calls]: Paged<P> }[keyof Calls];

/** One of the rows that such a call answers. */
export type RowOf<P extends PagedPath> = {
  [K in keyof Calls[P]['answer']]: Calls[P]['answer'][K] extends readonly (infer R)[] ? R : never;
}[keyof Calls[P]['answer']];

/** Counts from one; all others know `pageStart`, which counts from zero. */
const COUNTS_FROM_ONE: PagedPath = 'device/list';

export function pageWordOf(path: PagedPath): 'pageNo' | 'pageStart' {
  return path === COUNTS_FROM_ONE ? 'pageNo' : 'pageStart';
}

/** The one list of an answer. */
export function rowsOf<R>(answer: object): readonly R[] {
  return (Object.values(answer).find((value) => Array.isArray(value)) as readonly R[] | undefined) ?? [];
}
