// Reads one Markdown file of the documentation: its HTML, the sections for the search, and the files that it needs beside it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../server/http/api-docs/html.ts';
import { placeOf } from './contents.ts';

export interface Section {
  /** Of the page and the heading, from the root of the site. */
  readonly address: string;
  readonly pageTitle: string;
  readonly title: string;
  readonly text: string;
}

export interface SitePage {
  readonly source: string;
  readonly place: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  readonly sections: readonly Section[];
  /** Pictures and files that it shows or offers, by their paths in the repository. */
  readonly files: ReadonlySet<string>;
}

export interface Repository {
  readonly root: string;
  /** Sources of all pages of the site. */
  readonly pages: ReadonlySet<string>;
}

/** What the site makes of these, where documents link to them. */
const GENERATED: Readonly<Record<string, string>> = {
  'docs/decisions': 'decisions/index.html',
  'server/http/api-docs/docs-page.ts': 'calls.html',
  'server/http/api-docs/openapi.ts': 'openapi.json',
};

/** A link that leads nowhere in the repository. */
export class BrokenLink extends Error {
  constructor(source: string, target: string) {
    super(`${source}: the link to ${target} leads nowhere`);
  }
}

interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

export function readSitePage(source: string, repository: Repository): SitePage {
  const reader = new PageReader(source, repository);
  return reader.read(readFileSync(path.join(repository.root, source), 'utf8'));
}

class PageReader {
  readonly #source: string;
  readonly #repository: Repository;
  readonly #files = new Set<string>();
  readonly #headings: Heading[] = [];
  readonly #ids = new Map<string, number>();

  constructor(source: string, repository: Repository) {
    this.#source = source;
    this.#repository = repository;
  }

  read(text: string): SitePage {
    const marked = this.#marked();
    const tokens = marked.lexer(text);
    const html = marked.parser(tokens);
    const place = placeOf(this.#source);
    const title = this.#headings[0]?.text ?? this.#source;
    return {
      source: this.#source,
      place,
      title,
      html,
      headings: this.#headings.filter(({ depth }) => depth === 2),
      sections: this.#sections(tokens, place, title),
      files: this.#files,
    };
  }

  #marked(): Marked {
    const nextHeading = (token: Tokens.Heading): Heading => this.#nextHeading(token);
    const targetOf = (href: string): string | null => this.#target(href);
    const fileAt = (href: string): string => this.#file(href);
    return new Marked({
      // marked binds its renderer to these functions.
      renderer: {
        heading(token) {
          const { depth, id } = nextHeading(token);
          return `<h${depth} id="${id}">${this.parser.parseInline(withoutComments(token.tokens))}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          const words = this.parser.parseInline(tokens);
          const target = targetOf(href);
          return target === null ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
        },
        image: ({ href, text }) => `<img src="${escapeHtml(fileAt(href))}" alt="${escapeHtml(text)}" loading="lazy">`,
        // A wide table scrolls by itself.
        table(token) {
          const [head = '', ...rows] = [token.header, ...token.rows].map((cells, at) => {
            const name = at === 0 ? 'th' : 'td';
            const shown = cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`);
            return `<tr>${shown.join('')}</tr>`;
          });
          return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
        },
        // There is no HTML in our Markdown but comments and shown examples.
        html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      },
    });
  }

  /** `## Tours <!-- tours -->` names its own id, other headings have the one that GitHub gives them. */
  #nextHeading(token: Tokens.Heading): Heading {
    const named = token.tokens.find(({ type }) => type === 'html')?.raw;
    const text = plainText(withoutComments(token.tokens)).trim();
    const wanted = named === undefined ? slugOf(text) : named.replace('<!--', '').replace('-->', '').trim();
    const before = this.#ids.get(wanted) ?? 0;
    this.#ids.set(wanted, before + 1);
    const heading = { depth: token.depth, id: before === 0 ? wanted : `${wanted}-${before}`, text };
    this.#headings.push(heading);
    return heading;
  }

  /** Null for what is in the repository alone, such as a source file. */
  #target(href: string): string | null {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const [file = '', hash] = href.split('#');
    const source = this.#inRepository(file, href);
    const anchor = hash === undefined ? '' : `#${hash}`;
    if (this.#repository.pages.has(source)) return `${this.#relative(placeOf(source))}${anchor}`;
    const generated = GENERATED[source];
    if (generated !== undefined) return this.#relative(generated);
    const isOffered = source.startsWith('docs/') && statSync(path.join(this.#repository.root, source)).isFile();
    return isOffered ? this.#file(href) : null;
  }

  #file(href: string): string {
    const source = this.#inRepository(href, href);
    this.#files.add(source);
    return this.#relative(fileOf(source));
  }

  #inRepository(file: string, href: string): string {
    const source = path.posix.join(path.posix.dirname(this.#source), decodeURI(file)).replace(/\/$/, '');
    if (source.startsWith('..') || !existsSync(path.join(this.#repository.root, source)))
      throw new BrokenLink(this.#source, href);
    return source;
  }

  #relative(place: string): string {
    return path.posix.relative(path.posix.dirname(placeOf(this.#source)), place);
  }

  #sections(tokens: readonly Token[], place: string, pageTitle: string): Section[] {
    const sections: Section[] = [];
    let headings = 0;
    for (const token of tokens) {
      const last = sections.at(-1);
      if (token.type === 'heading') {
        const { id, text } = this.#headings[headings] ?? { id: '', text: '' };
        sections.push({ address: headings === 0 ? place : `${place}#${id}`, pageTitle, title: text, text: '' });
        headings += 1;
      } else if (last !== undefined) {
        sections[sections.length - 1] = { ...last, text: `${last.text} ${plainText([token])}`.trim() };
      }
    }
    return sections;
  }
}

/** A picture or file keeps its path; what lies outside of docs/ is never one. */
export function fileOf(source: string): string {
  return source.replace(/^docs\//, '');
}

function withoutComments(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ type }) => type !== 'html');
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The words of tokens, for the search. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('').replaceAll(/\s+/g, ' ');
}

function wordsOf(token: Token): string {
  switch (token.type) {
    case 'html':
      return '';
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => `${plainText(tokens)} `).join('');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flatMap((cells) => cells.map((cell) => `${plainText(cell.tokens)} `)).join('');
    }
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? plainText(token.tokens)
        : unescaped('text' in token ? String(token.text) : '');
  }
}

/** The search shows plain words. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
