// Phrases are complete: both languages have every key with the same placeholders, further ones are nearly whole and none stale, every error code has a sentence.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { englishKey, fingerprint, staleKeys } from '../translations/stale-phrases.ts';
import translatedFrom from '@vedette/phrases/further/translated-from.json' with { type: 'json' };
import { FURTHER_TAGS, type FurtherTag } from '@vedette/phrases/pack.ts';
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

const plain = english as Readonly<Record<string, string>>;
const furtherPacks = async () =>
  await Promise.all(
    FURTHER_TAGS.map(async (tag) => {
      const { default: pack } = await FURTHER_LOADERS[tag]();
      return { tag, sentences: Object.entries(pack) };
    }),
  );

it('[UI-09] has ten further languages, each nearly whole, in sentences of their own with the same values', async () => {
  expect(FURTHER_TAGS.length).toBeGreaterThanOrEqual(10);
  for (const { tag, sentences } of await furtherPacks()) {
    const own = sentences.filter(([key, text]) => text !== plain[englishKey(key)]);
    expect(own.length / rows.length, tag).toBeGreaterThan(0.85);
    for (const [key, text] of sentences) {
      expect(text.trim(), `${tag} ${key}`).not.toBe('');
      expect(values(text), `${tag} ${key}`).toEqual(values(plain[englishKey(key)] ?? ''));
    }
  }
});

/** Romance languages count whole millions apart: nothing here is so many. */
const FORMS: Partial<Record<FurtherTag, readonly string[]>> = {
  pl: ['one', 'few', 'many'],
  ru: ['one', 'few', 'many'],
};

it('has all plural forms of each translated sentence', async () => {
  for (const { tag, sentences } of await furtherPacks()) {
    const keys = new Set(sentences.map(([key]) => key));
    const stems = [...keys]
      .filter((key) => key.endsWith('_other'))
      .map((key) => key.replace(/_other$/u, ''))
      .filter((stem) => plain[`${stem}_one`] !== undefined);
    for (const stem of stems)
      for (const form of FORMS[tag] ?? ['one'])
        expect(keys.has(`${stem}_${form}`), `${tag} ${stem}_${form}`).toBe(true);
  }
});

it('has no translation of an English sentence that was changed since: npm run phrases:drop-stale', async () => {
  const stale = (await furtherPacks()).flatMap(({ tag, sentences }) =>
    staleKeys(
      sentences.map(([key]) => key),
      plain,
      translatedFrom,
    ).map((key) => `${tag} ${key}`),
  );
  expect(stale).toEqual([]);
});

it('notices an English sentence that was changed, and one that is gone', () => {
  const fingerprints = { kept: fingerprint('Live'), changed: fingerprint('Live'), gone: fingerprint('Live') };
  const now = { kept: 'Live', changed: 'Live view' };
  expect(staleKeys(['kept', 'changed', 'gone', 'unknown'], now, fingerprints)).toEqual(['changed', 'gone', 'unknown']);
});
