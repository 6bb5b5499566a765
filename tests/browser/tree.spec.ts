// The tree with more rows than fit: which of them are drawn, and in which sizes.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Tops and sizes of the rows that the tree has drawn, in pixels from the top of what can be scrolled. */
const drawn = () =>
  page.getByRole('tree').evaluate((tree) => {
    const top = tree.getBoundingClientRect().top - tree.scrollTop;
    const rows = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')].map((row) => {
      const { top: at, bottom, height, width } = row.getBoundingClientRect();
      return {
        top: at - top,
        bottom: bottom - top,
        height,
        width,
        indent: Number.parseFloat(getComputedStyle(row).paddingLeft),
        level: Number(row.getAttribute('aria-level')),
        name: row.getAttribute('aria-label') ?? '',
        title: row.title,
      };
    });
    return {
      rows: rows.toSorted((a, b) => a.top - b.top),
      viewTop: tree.scrollTop,
      viewBottom: tree.scrollTop + tree.clientHeight,
      height: tree.scrollHeight,
      isWider: tree.scrollWidth > tree.clientWidth,
    };
  });

it('[WG-12] the tree draws the rows in view and 60 px beyond, in the sizes of the specification', async () => {
  const { organizationId } = await operator.ok('org/add', { organizationName: 'Warehouse of many aisles' });
  for (let no = 1; no <= 80; no += 1)
    await operator.ok('org/add', { organizationName: `Aisle ${no}`, parentOrgId: organizationId });
  const watched = await openSignedIn(browser, product, { path: '/homepage/orgManage' });
  page = watched.page;
  await page.getByRole('treeitem', { name: 'Aisle 1', exact: true }).waitFor();
  const total = 81;
  await expectNoProblems(watched, 'tree-many-rows');
  const first = await drawn();
  expect(new Set(first.rows.map(({ height }) => height))).toEqual(new Set([28]));
  expect(first.rows.map(({ top }) => top)).toEqual(first.rows.map((_, at) => 4 + at * 28));
  expect(first.height).toBe(4 + total * 28 + 20);
  expect(new Set(first.rows.map(({ width }) => width))).toEqual(new Set([238]));
  expect(first.rows.map(({ indent, level }) => indent - (level - 1) * 18)).toEqual(first.rows.map(() => 4));
  expect(first.rows.find(({ level }) => level === 2)?.name).toBeTruthy();
  for (const { name, title } of first.rows) expect(title, name).toBe(name.length > 15 ? name : '');
  const beyond = ({ rows, viewBottom }: typeof first) => (rows.at(-1)?.bottom ?? 0) - viewBottom;
  expect(beyond(first)).toBeGreaterThanOrEqual(60);
  expect(beyond(first)).toBeLessThan(60 + 2 * 28);
  await page.getByRole('tree').evaluate((tree) => tree.scrollTo(0, 600));
  const scrolled = await waitFor('the rows around the new place', async () => {
    const now = await drawn();
    return now.viewTop > 0 && beyond(now) >= 60 ? now : undefined;
  });
  expect(scrolled.viewTop - (scrolled.rows[0]?.top ?? 0)).toBeGreaterThanOrEqual(60);
  expect(scrolled.viewTop - (scrolled.rows[0]?.top ?? 0)).toBeLessThan(60 + 2 * 28);
  // A column that is too narrow scrolls sideways.
  await page
    .getByRole('complementary')
    .first()
    .evaluate((side) => {
      side.style.width = '150px';
    });
  const narrow = await drawn();
  expect(new Set(narrow.rows.map(({ width }) => width))).toEqual(new Set([192]));
  expect(narrow.isWider).toBe(true);
  await watched.close();
});
