// The documentation site: built as `npm run docs:site` builds it, every page of docs/ in it, every link followed, nothing loaded from elsewhere.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite, type SiteReport } from '../../docs/site/build-site.ts';
import { allPages, HOME, placeOf } from '../../docs/site/contents.ts';
import { followLinks } from '../../docs/site/dead-links.ts';
import { BrokenLink, readSitePage } from '../../docs/site/read-page.ts';
import { filesBelow, root } from './source-files.ts';

let folder = '';
let report: SiteReport;
const textOf = (place: string): string => readFileSync(path.join(folder, place), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vedette-docs-'));
  report = await buildSite({ root, target: folder, version: '1.2.3' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the documentation site', () => {
  it('has every page of docs/, once', () => {
    const listed = [HOME, ...allPages(root).map(({ source }) => source)];
    const written = filesBelow('docs', /\.md$/).map(({ name }) => name);
    expect(new Set(listed).size).toBe(listed.length);
    expect(written.filter((name) => !listed.includes(name))).toEqual([]);
    for (const source of listed) expect(textOf(placeOf(source)), source).toContain('<h1');
    expect(report.pages).toBe(listed.length - 1);
  });

  it('has no link that leads nowhere, and loads nothing from elsewhere', () => {
    const { followed, dead } = followLinks(folder);
    expect(followed).toBe(report.links);
    expect(followed).toBeGreaterThan(10_000);
    expect(dead).toEqual([]);
    for (const name of ['site.css', 'site.js', 'calls.css', 'calls.js'])
      expect(/\b(?:url|fetch|import)\(|https?:/.test(textOf(name)), name).toBe(false);
  });

  it('has nothing inline that the policy of its pages would refuse', () => {
    for (const { source } of allPages(root)) {
      const text = textOf(placeOf(source));
      expect(text, source).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle="|\bon[a-z]+="/);
    }
  });

  it('keeps the ids of headings of the manual in both languages, and those that other documents lead to', () => {
    for (const language of ['en', 'zh-CN'])
      expect(textOf(`manual/${language}/live-wall.html`)).toContain('<h2 id="tours">');
    expect(textOf('operations/backup.html')).toContain('<h2 id="in-a-bucket">');
  });

  it('finds by its index what stands in pages, with the address of the heading', () => {
    const index = textOf('search-en.js');
    const sections = JSON.parse(index.slice(index.indexOf('['), index.lastIndexOf(']') + 1)) as { address: string }[];
    const addresses = new Set(sections.map(({ address }) => address));
    for (const address of ['operations/reverse-proxies.html#nginx', 'manual/en/live-wall.html#tours', 'index.html'])
      expect(addresses).toContain(address);
    for (const address of addresses) {
      const [place = '', id] = address.split('#');
      expect(textOf(place).includes(id === undefined ? '<h1' : `id="${id}"`), address).toBe(true);
    }
  });
});

describe('a broken link', () => {
  const planted = () => {
    const place = mkdtempSync(path.join(tmpdir(), 'vedette-planted-'));
    mkdirSync(path.join(place, 'docs'));
    return place;
  };

  it('to a file that does not exist stops the build', () => {
    const place = planted();
    writeFileSync(path.join(place, 'docs/one.md'), '# One\n\n[two](two.md)\n');
    const read = () => readSitePage('docs/one.md', { root: place, pages: new Set(['docs/one.md']) });
    expect(read).toThrow(BrokenLink);
    writeFileSync(path.join(place, 'docs/one.md'), '# One\n\n![two](images/two.png)\n');
    expect(read).toThrow(BrokenLink);
    rmSync(place, { recursive: true });
  });

  it.each([
    ['<a href="#nowhere">x</a>', '#nowhere'],
    ['<a href="two.html#other">x</a>', 'two.html#other'],
    ['<a href="three.html">x</a>', 'three.html'],
    ['<a href="/docs/two.html">x</a>', '/docs/two.html'],
    ['<img src="https://elsewhere.example/x.png">', 'https://elsewhere.example/x.png'],
    ['<script src="../site.js"></script>', '../site.js'],
  ])('%s is found in what was built', (html, target) => {
    const place = planted();
    const good =
      '<h2 id="here">x</h2><a href="#here">x</a><a href="two.html#there">x</a><a href="https://w3.org">x</a>';
    writeFileSync(path.join(place, 'one.html'), `${good}${html}`);
    writeFileSync(path.join(place, 'two.html'), '<h2 id="there">x</h2>');
    expect(followLinks(place)).toEqual({ followed: 4, dead: [{ page: 'one.html', target }] });
    rmSync(place, { recursive: true });
  });
});

it('a heading has the id that GitHub gives it, a second one of the same words another', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'vedette-planted-'));
  writeFileSync(path.join(place, 'one.md'), '# One\n\n## V1 Encoding, and `code`\n\n## Same\n\n## Same\n\n## 中文\n');
  const { headings, title } = readSitePage('one.md', { root: place, pages: new Set(['one.md']) });
  expect(title).toBe('One');
  expect(headings.map(({ id }) => id)).toEqual(['v1-encoding-and-code', 'same', 'same-1', '中文']);
  rmSync(place, { recursive: true });
});
