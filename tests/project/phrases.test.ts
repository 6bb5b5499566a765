// Phrases are complete: every language has every key with the same placeholders, every error code has a sentence.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { expect, it } from 'vitest';

const rows = Object.entries(english as Record<string, string>);
const translated = chinese as Record<string, string>;

it('has the same keys in both languages', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(new Set(Object.keys(translated))).toEqual(new Set(rows.map(([key]) => key)));
});

it('has no empty sentence and the same values in both languages', () => {
  const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
  for (const [key, text] of rows) {
    expect(text.trim() !== '' && translated[key]?.trim() !== '', key).toBe(true);
    expect(values(translated[key] ?? ''), key).toEqual(values(text));
  }
});

it('has a sentence for every answer code', () => {
  const silent = Object.values(ERROR_CODES).filter((code) => !rows.some(([key]) => key === `errCode_${code}`));
  expect(silent).toEqual([]);
});
