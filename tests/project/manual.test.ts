// The manual is complete and consistent: pages of both languages match, and every label, link, heading and picture in them exists.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type LanguageTag, LANGUAGE_TAGS } from '@vedette/phrases/pack.ts';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { describe, expect, it } from 'vitest';
import { MANUAL_PAGES } from '../../console/features/manual/chapters.ts';
import { type Block, type Inline, type Page, readPage } from '../../console/features/manual/manual-markdown.ts';
import { root } from './source-files.ts';

const folder = path.join(root, 'docs/manual');
const PICTURE_BYTES = 60_000;
const ALL_PICTURES_BYTES = 3_000_000;

const labels: Readonly<Record<LanguageTag, ReadonlySet<string>>> = {
  en: new Set(Object.values(english)),
  'zh-CN': new Set(Object.values(chinese)),
};
const source = (language: LanguageTag, page: string) => readFileSync(path.join(folder, language, `${page}.md`), 'utf8');
const pagesIn = (language: LanguageTag): ReadonlyMap<string, Page> =>
  new Map(MANUAL_PAGES.map((page) => [page, readPage(source(language, page))]));
const pages: Readonly<Record<LanguageTag, ReadonlyMap<string, Page>>> = {
  en: pagesIn('en'),
  'zh-CN': pagesIn('zh-CN'),
};

function inlines(block: Block): readonly Inline[] {
  if (block.kind === 'paragraph' || block.kind === 'note') return block.text;
  if (block.kind === 'steps' || block.kind === 'points') return block.items.flat();
  return block.kind === 'table' ? block.rows.flat(2) : [];
}

function headings(page: Page | undefined): string[] {
  return page?.blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : [])) ?? [];
}

function pictures(page: Page): string[] {
  return page.blocks.flatMap((block) => (block.kind === 'picture' ? [block.name] : []));
}

/** What a page consists of, without its words. */
function outline(page: Page): string[] {
  return page.blocks.map((block) => {
    if (block.kind === 'heading') return `${block.level} ${block.id}`;
    if (block.kind === 'steps' || block.kind === 'points') return `${block.kind} ${block.items.length}`;
    if (block.kind === 'table') return `table ${block.rows.map((row) => row.length).join(' ')}`;
    return block.kind === 'picture' ? block.name : block.kind;
  });
}

it('every page stands in the contents, and every page of the contents exists', () => {
  for (const language of LANGUAGE_TAGS) {
    const files = readdirSync(path.join(folder, language)).map((name) => name.replace(/\.md$/, ''));
    expect(new Set(files), language).toEqual(new Set(MANUAL_PAGES));
  }
});

it('[LM-04] names no brand in either language', () => {
  for (const language of LANGUAGE_TAGS)
    for (const page of MANUAL_PAGES) expect(source(language, page), `${language} ${page}`).not.toContain('Vedette');
});

it('both languages have the same headings, steps, tables and pictures', () => {
  for (const page of MANUAL_PAGES) {
    const [one, other] = [pages.en.get(page), pages['zh-CN'].get(page)];
    expect(other && outline(other), page).toEqual(one && outline(one));
  }
});

describe.each(LANGUAGE_TAGS)('the pages in %s', (language) => {
  it('name the labels of the console as it shows them', () => {
    const wrong = [...pages[language]].flatMap(([name, { blocks }]) =>
      blocks
        .flatMap(inlines)
        .filter(({ kind, text }) => kind === 'label' && !labels[language].has(text))
        .map(({ text }) => `${name}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lead to pages and headings that exist', () => {
    const dead = [...pages[language]].flatMap(([name, { blocks }]) =>
      blocks.flatMap(inlines).flatMap((part) => {
        if (part.kind !== 'link') return [];
        const [file = '', heading] = part.target.split('#');
        const page = pages[language].get(file === '' ? name : file.replace(/\.md$/, ''));
        const isThere = page !== undefined && (heading === undefined || headings(page).includes(heading));
        return isThere ? [] : [`${name} → ${part.target}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it('have ids of their own for their headings, and no HTML', () => {
    for (const page of MANUAL_PAGES) {
      const ids = headings(pages[language].get(page));
      expect(new Set(ids).size, page).toBe(ids.length);
      expect(
        ids.every((id) => /^[a-z][a-z-]*$/.test(id)),
        page,
      ).toBe(true);
      expect(source(language, page), page).not.toMatch(/<(?!!-- [a-z-]+ -->$)[a-z!/]/m);
    }
  });

  it('show pictures that exist, and no picture is without a page', () => {
    const used = [...pages[language].values()].flatMap(pictures);
    const place = path.join(folder, 'images', language);
    const there = existsSync(place) ? readdirSync(place) : [];
    expect(new Set(there)).toEqual(new Set(used));
    expect(used.length).toBeGreaterThan(15);
  });
});

it('the pictures are small', () => {
  const sizes = LANGUAGE_TAGS.flatMap((language) => {
    const place = path.join(folder, 'images', language);
    return readdirSync(place).map((name) => ({ name, bytes: statSync(path.join(place, name)).size }));
  });
  expect(sizes.filter(({ bytes }) => bytes > PICTURE_BYTES)).toEqual([]);
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(ALL_PICTURES_BYTES);
});
