// What is wrong with a page whatever it shows: nothing on it, words that no user should read, and content that is pushed out sideways.
import type { Page } from 'playwright-core';
import { pack } from '@vedette/phrases/en/pack.ts';

/** What stands on the screen where a value was missing, or a phrase was asked for by a key that has none. */
const UNREADABLE = /\bundefined\b|\bNaN\b|\[object \w+\]|\bInvalid Date\b|\{\w+\}/;
const KEYS: ReadonlySet<string> = new Set(Object.keys(pack));
/** What the user of a test typed may look like anything. */
export const TYPED_MARK = '~';

/** A busy machine takes its time to draw the first words. */
const FIRST_WORDS_MS = 20_000;

export async function pageFaults(page: Page): Promise<string[]> {
  const hasWords = () => document.body.innerText.trim() !== '';
  await page.waitForFunction(hasWords, undefined, { timeout: FIRST_WORDS_MS }).catch(() => undefined);
  const { text, sideways } = await page.evaluate(() => ({
    text: document.body.innerText,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  const lines = text.split('\n').filter((line) => !line.includes(TYPED_MARK));
  const words = lines.flatMap((line) => line.split(/\s+/));
  return [
    ...(text.trim() === '' ? ['the page is empty'] : []),
    ...(sideways > 1 ? [`the page is ${sideways} px wider than its window`] : []),
    ...lines.filter((line) => UNREADABLE.test(line)).map((line) => `unreadable: ${line.slice(0, 120)}`),
    ...words
      .filter((word) => KEYS.has(word) && word.includes('.'))
      .map((word) => `a key in place of its phrase: ${word}`),
  ];
}
