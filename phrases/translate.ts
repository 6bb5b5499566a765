// Turns a key and its values into a sentence of one pack.
import type {
  FurtherPack,
  FurtherTag,
  LanguageTag,
  Pack,
  PhraseKey,
  PhraseValues,
  PluralKey,
  ShownTag,
} from './pack.ts';

type ValueOf = string | number;
type Arguments<K extends PhraseKey> = [PhraseValues<K>] extends [never]
  ? []
  : [values: Readonly<Record<PhraseValues<K>, ValueOf>>];

export interface Translate {
  <K extends PhraseKey>(key: K, ...values: Arguments<K>): string;
  /** Sentence of `…_one`, `…_other` or what further forms the language has, by its plural rule; `{count}` is the number. */
  plural(key: PluralKey, count: number): string;
  /** A key that is only known at run time, for example `errCode_` + code; undefined where there is none. */
  find(key: string, values?: Readonly<Record<string, ValueOf>>): string | undefined;
  /** The whole pack behind the sentences: what the server writes in its own texts. */
  readonly language: LanguageTag;
  /** What the user chose: the same, or a further language whose missing sentences come from that pack. Names of days, numbers and sorting follow it. */
  readonly shown: ShownTag;
}

/** Names without a value stay as they are: a half sentence is better than none. */
export function fill(sentence: string, values: Readonly<Record<string, ValueOf>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A further language whose missing sentences come from a whole pack. */
export interface Further {
  readonly tag: FurtherTag;
  readonly pack: FurtherPack;
}

export function translator(language: LanguageTag, whole: Pack, further?: Further): Translate {
  const sentences: Readonly<Record<string, string>> = { ...whole, ...further?.pack };
  const pluralOf = pluralForms(language, further);
  const numbers = new Intl.NumberFormat(further?.tag ?? language);
  const say = (key: PhraseKey, values?: Readonly<Record<string, ValueOf>>): string =>
    fill(sentences[key] ?? key, values ?? {});
  return Object.assign(say, {
    language,
    shown: further?.tag ?? language,
    plural: (key: PluralKey, count: number): string => {
      const sentence = sentences[`${key}_${pluralOf(key, count)}`] ?? sentences[`${key}_other`] ?? key;
      return fill(sentence, { count: numbers.format(count) });
    },
    find: (key: string, values: Readonly<Record<string, ValueOf>> = {}): string | undefined =>
      Object.hasOwn(sentences, key) ? fill(sentences[key] ?? key, values) : undefined,
  }) as Translate;
}

/** By the rule of the language in which the sentence stands. */
function pluralForms(language: LanguageTag, further: Further | undefined) {
  const rules = new Intl.PluralRules(language);
  const furtherRules = further && new Intl.PluralRules(further.tag);
  return (key: PluralKey, count: number): Intl.LDMLPluralRule => {
    const isTranslated = further !== undefined && Object.hasOwn(further.pack, `${key}_other`);
    return ((isTranslated ? furtherRules : undefined) ?? rules).select(count);
  };
}
