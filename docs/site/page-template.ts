// The HTML around a page of the documentation: head, contents, search and the headings of the page. Nothing in it is inline, so a strict policy lets it run.
import path from 'node:path';
import type { LanguageTag } from '@vedette/phrases/pack.ts';
import { escapeHtml } from '../../server/http/api-docs/html.ts';
import { type Chapter, placeOf } from './contents.ts';

export interface ShownPage {
  readonly place: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

export interface Frame {
  readonly language: LanguageTag;
  readonly chapters: readonly Chapter[];
  readonly titles: ReadonlyMap<string, string>;
  /** The same page in the other language, or the start of that language. */
  readonly translation: string;
}

const WORDS = {
  en: {
    site: 'Documentation',
    search: 'Search the documentation',
    nothing: 'Nothing found.',
    contents: 'Contents',
    onPage: 'On this page',
    skip: 'Skip to content',
    other: '简体中文',
    otherTag: 'zh-CN',
    home: 'index.html',
  },
  'zh-CN': {
    site: '文档',
    search: '搜索文档',
    nothing: '没有结果。',
    contents: '目录',
    onPage: '本页内容',
    skip: '跳到正文',
    other: 'English',
    otherTag: 'en',
    home: 'manual/zh-CN/index.html',
  },
} as const;

export function renderPage(page: ShownPage, frame: Frame): string {
  const words = WORDS[frame.language];
  const to = (place: string): string => path.posix.relative(path.posix.dirname(page.place), place);
  const index = to(`search-${frame.language}.js`);
  const base = to('.');
  return `<!doctype html>
<html lang="${frame.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · ${words.site}</title>
<link rel="stylesheet" href="${to('site.css')}">
<script defer src="${to('site.js')}"></script>
</head>
<body data-index="${index}" data-base="${base === '' ? '.' : base}" data-nothing="${words.nothing}">
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="name" href="${to(words.home)}">${words.site}</a>
<search><input type="search" id="search" placeholder="${words.search}" aria-label="${words.search}" aria-controls="found" autocomplete="off" spellcheck="false" maxlength="64"><ol id="found" hidden></ol></search>
<a class="language" href="${to(frame.translation)}" lang="${words.otherTag}" hreflang="${words.otherTag}">${words.other}</a>
</header>
<div class="columns">
<details class="contents" open><summary>${words.contents}</summary><nav aria-label="${words.contents}">${contentsHtml(page, frame, to)}</nav></details>
<main id="content">
${page.html}</main>
${headingsHtml(page, words.onPage)}
</div>
</body>
</html>
`;
}

function contentsHtml(page: ShownPage, { chapters, titles }: Frame, to: (place: string) => string): string {
  return chapters
    .map(({ title, pages, list }) => {
      const places = list === undefined ? pages.map(placeOf) : [list];
      const items = places.map((place) => {
        const current = place === page.place ? ' aria-current="page"' : '';
        return `<li><a href="${to(place)}"${current}>${escapeHtml(titles.get(place) ?? place)}</a></li>`;
      });
      return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
    })
    .join('\n');
}

function headingsHtml({ headings }: ShownPage, label: string): string {
  if (headings.length < 2) return '';
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<aside><nav aria-label="${label}"><h2>${label}</h2><ul>${items.join('')}</ul></nav></aside>`;
}

/** A page that lists the pages of chapters. */
export function listHtml(
  title: string,
  chapters: readonly Chapter[],
  { titles, from }: { readonly titles: ReadonlyMap<string, string>; readonly from: string },
): string {
  const parts = chapters.map((chapter) => {
    const items = chapter.pages.map((source) => {
      const place = placeOf(source);
      const target = path.posix.relative(path.posix.dirname(from), place);
      return `<li><a href="${target}">${escapeHtml(titles.get(place) ?? place)}</a></li>`;
    });
    const head = chapters.length === 1 ? '' : `<h2>${escapeHtml(chapter.title)}</h2>`;
    return `<section>${head}<ul>${items.join('')}</ul></section>`;
  });
  return `<h1>${escapeHtml(title)}</h1><div class="lists">${parts.join('')}</div>`;
}
