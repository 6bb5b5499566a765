// Turns a search text into SQL conditions: an escaped LIKE pattern, and a bigram condition for the index.
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Lower-cased like the columns; escapes `%`, `_` and `\`. */
export function likePattern(keyWord: string): string {
  return `%${keyWord.toLowerCase().replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

export interface SearchedName {
  /** Column with the bigrams of `text`. */
  readonly pairs: RawBuilder<unknown>;
  /** As the index on single characters stores it. */
  readonly text: RawBuilder<unknown>;
  /** Columns of the text; a word occurs within one of them. */
  readonly parts: readonly RawBuilder<unknown>[];
}

const PAIR = 2;

/**
 * Rows whose name contains the word. For one or two characters the index alone decides, and the planner knows how
 * frequent the word is. Longer words are filtered after their bigrams.
 */
export function matchesKeyWord({ pairs, text, parts }: SearchedName, keyWord: string): RawBuilder<SqlBool> {
  const { length } = [...keyWord];
  if (length < PAIR) return sql<SqlBool>`characters(${text}) @> characters(${keyWord})`;
  const mayHold = sql<SqlBool>`${pairs} @> bigrams(${keyWord})`;
  if (length === PAIR) return mayHold;
  const pattern = likePattern(keyWord);
  const isThere = parts.map((part) => sql`lower(${part}) like ${pattern}`);
  return sql<SqlBool>`(${mayHold} and (${sql.join(isThere, sql` or `)}))`;
}
