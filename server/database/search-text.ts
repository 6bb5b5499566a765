// Turns what people type into a LIKE pattern that matches exactly that, wherever it stands.

/** Lower case as the columns are compared; `%`, `_` and `\` lose their meaning. */
export function likePattern(keyWord: string): string {
  return `%${keyWord.toLowerCase().replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}
