// Search tokens of a virtual device: results are handed out page by page and forgotten after a while (ONVIF Recording Search 5.2).

import { randomUUID } from 'node:crypto';
import { invalidArgument } from './onvif-fault.ts';

interface Search {
  left: readonly unknown[];
  usedAt: number;
}

export interface SearchPage<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

const KEEP_MS = 60_000;
const PAGE_LIMIT = 100;

export class SearchSessions {
  private readonly monotonicMs: () => number;
  private readonly searches = new Map<string, Search>();

  constructor(monotonicMs: () => number) {
    this.monotonicMs = monotonicMs;
  }

  begin(results: readonly unknown[]): string {
    const now = this.monotonicMs();
    for (const [token, search] of this.searches) if (now - search.usedAt > KEEP_MS) this.searches.delete(token);
    const token = randomUUID();
    this.searches.set(token, { left: results, usedAt: now });
    return token;
  }

  /** The caller names the type that it gave to `begin` for this kind of search. */
  take<T>(token: string, limit = PAGE_LIMIT): SearchPage<T> {
    const search = this.searches.get(token);
    if (search === undefined) throw invalidArgument('ter:InvalidToken', 'The search token does not exist');
    search.usedAt = this.monotonicMs();
    const items = search.left.slice(0, Math.min(limit, PAGE_LIMIT)) as readonly T[];
    search.left = search.left.slice(items.length);
    if (search.left.length === 0) this.searches.delete(token);
    return { items, isComplete: search.left.length === 0 };
  }

  end(token: string): void {
    this.searches.delete(token);
  }
}
