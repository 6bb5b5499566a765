// Turns a search text into SQL conditions: an escaped LIKE pattern, and a bigram condition for the index.
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Lower case as the columns are compared; `%`, `_` and `\` lose their meaning. */
export function likePattern(keyWord: string): string {
  return `%${keyWord.toLowerCase().replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

export interface SearchedName {
  /** The column with the pairs of characters of `text`. */
  readonly pairs: RawBuilder<unknown>;
  /** As the index on its single characters has it. */
  readonly text: RawBuilder<unknown>;
  /** What it is put together of: a word stands within one of these. */
  readonly parts: readonly RawBuilder<unknown>[];
}

const PAIR = 2;

/**
 * Where a name holds the word. Of one character or two the index says it all, and the planner then knows how common the
 * word is: for a common one it reads until enough was found. Longer words are looked for in what their pairs leave.
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
