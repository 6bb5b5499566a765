// The sections of the manual that its search looks through: one for each heading.
import { MANUAL_PAGES, type ManualPlace } from './chapters.ts';
import type { Manual } from './manual.ts';
import { blockText } from './manual-markdown.ts';
import type { SearchedSection } from './section-search.ts';

interface Section extends ManualPlace, SearchedSection {
  readonly heading: string | undefined;
}

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
