// Full-text search in the manual: every section that contains all words, the best first.
import { MANUAL_PAGES, type ManualPlace } from './chapters.ts';
import type { Manual } from './manual.ts';
import { blockText } from './manual-markdown.ts';

interface Section extends ManualPlace {
  readonly pageTitle: string;
  readonly heading: string | undefined;
  readonly title: string;
  readonly text: string;
}

export interface Found extends Section {
  /** The words around the first place where the search matches. */
  readonly excerpt: string;
}

const MOST_RESULTS = 20;
const EXCERPT = { before: 30, after: 110 };

export function sectionsOf(manual: Manual): Section[] {
  return MANUAL_PAGES.flatMap((page) => {
    const content = manual.pages.get(page);
    if (content === undefined) return [];
    const pageTitle = content.title;
    const sections: Section[] = [{ page, pageTitle, heading: undefined, title: pageTitle, text: '' }];
    for (const block of content.blocks) {
      const last = sections.at(-1);
      if (block.kind === 'heading') sections.push({ page, pageTitle, heading: block.id, title: block.text, text: '' });
      else if (last !== undefined) {
        sections[sections.length - 1] = { ...last, text: `${last.text} ${blockText(block)}`.trim() };
      }
    }
    return sections;
  });
}

/** An English plural also finds its singular; Chinese words are found as they are. */
function wordsOf(question: string): string[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => (/^[a-z]{4,}s$/.test(word) ? word.slice(0, -1) : word));
}

function score({ title, pageTitle, text }: Section, words: readonly string[]): number {
  const [heading, page, body] = [title.toLowerCase(), pageTitle.toLowerCase(), text.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    const points = (heading.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function excerptOf({ text }: Section, words: readonly string[]): string {
  const at = Math.max(0, ...words.slice(0, 1).map((word) => text.toLowerCase().indexOf(word)));
  const from = Math.max(0, at - EXCERPT.before);
  const to = at + EXCERPT.after;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

export function searchSections(sections: readonly Section[], question: string): Found[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MOST_RESULTS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section, words) }));
}
