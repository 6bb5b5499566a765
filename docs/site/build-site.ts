// Builds the documentation site: pages, search indexes, the page of the calls, pictures, and one script and style for all of them.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type LanguageTag, LANGUAGE_TAGS } from '@vedette/phrases/pack.ts';
import { build } from 'vite';
import { openApi } from '../../server/http/api-docs/openapi.ts';
import { callsPageFiles } from '../../server/http/api-docs/docs-page.ts';
import { allPages, type Chapter, contentsOf, HOME } from './contents.ts';
import { followLinks } from './dead-links.ts';
import { listHtml, renderPage, type ShownPage } from './page-template.ts';
import { fileOf, readSitePage, type Repository, type SitePage } from './read-page.ts';

export interface SiteOptions {
  readonly root: string;
  readonly target: string;
  readonly version: string;
}

export interface SiteReport {
  readonly pages: number;
  readonly links: number;
}

/** Links of the built site that lead nowhere. */
export class DeadLinks extends Error {}

export async function buildSite({ root, target, version }: SiteOptions): Promise<SiteReport> {
  const listed = allPages(root);
  const repository: Repository = { root, pages: new Set([HOME, ...listed.map(({ source }) => source)]) };
  const home = readSitePage(HOME, repository);
  const pages = listed.map(({ source, language }) => ({ language, page: readSitePage(source, repository) }));
  const titles = new Map(pages.map(({ page }) => [page.place, page.title]));
  titles.set('decisions/index.html', 'All decisions');
  const site = new SiteFolder(target, root, titles);
  for (const { language, page } of pages) site.add(language, page);
  site.add('en', home);
  site.addLists(home.title);
  for (const language of LANGUAGE_TAGS)
    site.addIndex(language, [...(language === 'en' ? [home] : []), ...ofLanguage(pages, language)]);
  for (const [place, text] of Object.entries(callsPageFiles(version))) site.write(place, text);
  site.write('openapi.json', JSON.stringify(openApi(version)));
  site.copy('docs/site/site.css', 'site.css');
  await bundleScript(root, target);
  const { followed, dead } = followLinks(target);
  if (dead.length > 0) throw new DeadLinks(dead.map((link) => `${link.page}: ${link.target}`).join('\n'));
  return { pages: pages.length, links: followed };
}

function ofLanguage(
  pages: readonly { readonly language: LanguageTag; readonly page: SitePage }[],
  language: LanguageTag,
): SitePage[] {
  return pages.filter((one) => one.language === language).map(({ page }) => page);
}

class SiteFolder {
  readonly #target: string;
  readonly #root: string;
  readonly #titles: ReadonlyMap<string, string>;
  readonly #contents: Readonly<Record<LanguageTag, readonly Chapter[]>>;

  constructor(target: string, root: string, titles: ReadonlyMap<string, string>) {
    this.#target = target;
    this.#root = root;
    this.#titles = titles;
    this.#contents = { en: contentsOf('en', root), 'zh-CN': contentsOf('zh-CN', root) };
  }

  add(language: LanguageTag, page: SitePage): void {
    this.#render(language, page);
    for (const file of page.files) this.copy(file, fileOf(file));
  }

  /** What no file holds: the start of the Chinese site, and the list of the decisions. */
  addLists(title: string): void {
    const titles = this.#titles;
    const chinese = { place: 'manual/zh-CN/index.html', title: '使用手册', headings: [] };
    const chapters = this.#contents['zh-CN'];
    this.#render('zh-CN', { ...chinese, html: listHtml(chinese.title, chapters, { titles, from: chinese.place }) });
    const decisions = this.#contents.en.filter(({ list }) => list !== undefined);
    const list = { place: 'decisions/index.html', title: `Decisions · ${title}`, headings: [] };
    this.#render('en', { ...list, html: listHtml('Decisions', decisions, { titles, from: list.place }) });
  }

  /** A script and no JSON: pages that are opened as files may load scripts alone. */
  addIndex(language: LanguageTag, pages: readonly SitePage[]): void {
    const sections = pages.flatMap((page) => page.sections);
    this.write(`search-${language}.js`, `globalThis.documentationSections = ${JSON.stringify(sections)};\n`);
  }

  write(place: string, text: string): void {
    const file = path.join(this.#target, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  copy(source: string, place: string): void {
    const file = path.join(this.#target, place);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(this.#root, source), file);
  }

  #render(language: LanguageTag, page: ShownPage): void {
    const frame = {
      language,
      chapters: this.#contents[language],
      titles: this.#titles,
      translation: this.#translationOf(language, page.place),
    };
    this.write(page.place, renderPage(page, frame));
  }

  #translationOf(language: LanguageTag, place: string): string {
    const [own, other] = language === 'en' ? ['en', 'zh-CN'] : ['zh-CN', 'en'];
    const fallback = language === 'en' ? 'manual/zh-CN/index.html' : 'index.html';
    const there = place.replace(`manual/${own}/`, `manual/${other}/`);
    const isThere = there !== place && this.#titles.has(there);
    return isThere ? there : fallback;
  }
}

async function bundleScript(root: string, target: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: target,
      emptyOutDir: false,
      target: 'es2022',
      lib: {
        entry: path.join(root, 'docs/site/browser/main-docs-page.ts'),
        formats: ['iife'],
        name: 'documentation',
        fileName: () => 'site.js',
      },
    },
  });
}
