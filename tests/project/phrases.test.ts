// Phrases are complete: both languages have every key with the same placeholders, further ones their part, every error code has a sentence.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { type FurtherPack, FURTHER_KEYS } from '@vedette/phrases/further/further-pack.ts';
import { FURTHER_TAGS } from '@vedette/phrases/pack.ts';
import { expect, it } from 'vitest';
import { FURTHER_LOADERS } from '../../console/language/further-languages.ts';

const rows = Object.entries(english as Record<string, string>);
const translated = chinese as Record<string, string>;

it('has the same keys in both languages', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(new Set(Object.keys(translated))).toEqual(new Set(rows.map(([key]) => key)));
});

const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

it('has no empty sentence and the same values in both languages', () => {
  for (const [key, text] of rows) {
    expect(text.trim() !== '' && translated[key]?.trim() !== '', key).toBe(true);
    expect(values(translated[key] ?? ''), key).toEqual(values(text));
  }
});

it('has a sentence for every answer code', () => {
  const silent = Object.values(ERROR_CODES).filter((code) => !rows.some(([key]) => key === `errCode_${code}`));
  expect(silent).toEqual([]);
});

it('[UI-09] has ten further languages with the same part, in sentences of their own', async () => {
  expect(FURTHER_TAGS.length).toBeGreaterThanOrEqual(10);
  for (const tag of FURTHER_TAGS) {
    const { pack }: { pack: FurtherPack } = await FURTHER_LOADERS[tag]();
    expect(Object.keys(pack), tag).toEqual([...FURTHER_KEYS]);
    for (const key of FURTHER_KEYS) {
      expect(pack[key].trim(), `${tag} ${key}`).not.toBe('');
      expect(values(pack[key]), `${tag} ${key}`).toEqual(values(english[key]));
    }
    const borrowed = FURTHER_KEYS.filter((key) => pack[key] === english[key]);
    expect(borrowed.length, `${tag} ${borrowed.join(' ')}`).toBeLessThan(8);
  }
});
