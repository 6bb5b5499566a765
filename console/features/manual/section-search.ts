// Full-text search in sections of pages: every section that contains all words, the best first.

export interface SearchedSection {
  readonly pageTitle: string;
  readonly title: string;
  readonly text: string;
}

export type Found<S extends SearchedSection> = S & {
  /** The words around the first place where the search matches. */
  readonly excerpt: string;
};

const MOST_RESULTS = 20;
const EXCERPT = { before: 30, after: 110 };

/** An English plural also finds its singular; Chinese words are found as they are. */
function wordsOf(question: string): string[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => (/^[a-z]{4,}s$/.test(word) ? word.slice(0, -1) : word));
}

function score({ title, pageTitle, text }: SearchedSection, words: readonly string[]): number {
  const [heading, page, body] = [title.toLowerCase(), pageTitle.toLowerCase(), text.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    const points = (heading.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function excerptOf({ text }: SearchedSection, words: readonly string[]): string {
  const at = Math.max(0, ...words.slice(0, 1).map((word) => text.toLowerCase().indexOf(word)));
  const from = Math.max(0, at - EXCERPT.before);
  const to = at + EXCERPT.after;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

export function searchSections<S extends SearchedSection>(sections: readonly S[], question: string): Found<S>[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MOST_RESULTS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section, words) }));
}
