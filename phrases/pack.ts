// The types of a phrase pack: its keys and, per key, the values that its sentence takes.
import type { pack } from './en/pack.ts';

export type EnglishPack = typeof pack;
export type PhraseKey = keyof EnglishPack;
export type Pack = Readonly<Record<PhraseKey, string>>;
/** A topic of another language: exactly the keys of the English topic. */
export type Topic<T> = Readonly<Record<keyof T, string>>;

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** The `{name}` values of a sentence. */
export type PhraseValues<K extends PhraseKey> = Names<EnglishPack[K]>;

/** Keys whose sentence takes no values: what labels and titles are. */
export type PlainKey = { [K in PhraseKey]: [PhraseValues<K>] extends [never] ? K : never }[PhraseKey];

type Stem<K> = K extends `${infer S}_one` ? S : never;
/** Keys that exist as `…_one` and `…_other`. */
export type PluralKey = Stem<PhraseKey>;

/** Polish and Russian: 2 to 4, and 5 and more. */
type FurtherPluralForm = 'few' | 'many';
/** What a further language may hold: any phrase, and plural forms that English does not have (UI-09). What is missing is shown in English. */
export type FurtherPack = Readonly<Partial<Record<PhraseKey | `${PluralKey}_${FurtherPluralForm}`, string>>>;

/** Languages with a whole pack. */
export const LANGUAGE_TAGS = ['en', 'zh-CN'] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];
/** Languages that were translated by machine; what is new since stands in English. */
export const FURTHER_TAGS = ['de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ru', 'ja', 'ko'] as const;
export type FurtherTag = (typeof FURTHER_TAGS)[number];
export type ShownTag = LanguageTag | FurtherTag;
export const SHOWN_TAGS: readonly ShownTag[] = [...LANGUAGE_TAGS, ...FURTHER_TAGS];
