// Turns a key and its values into a sentence of one pack.
import type { LanguageTag, Pack, PhraseKey, PhraseValues, PluralKey, ShownTag } from './pack.ts';

type ValueOf = string | number;
type Arguments<K extends PhraseKey> = [PhraseValues<K>] extends [never]
  ? []
  : [values: Readonly<Record<PhraseValues<K>, ValueOf>>];

export interface Translate {
  <K extends PhraseKey>(key: K, ...values: Arguments<K>): string;
  /** Sentence of `…_one` or `…_other` by the language's plural rule; `{count}` is the number. */
  plural(key: PluralKey, count: number): string;
  /** A key that is only known at run time, for example `errCode_` + code; undefined where there is none. */
  find(key: string, values?: Readonly<Record<string, ValueOf>>): string | undefined;
  /** The whole pack behind the sentences: what dates, sorting and the server's own texts follow. */
  readonly language: LanguageTag;
  /** What the user chose: the same, or a further language whose missing sentences come from that pack. */
  readonly shown: ShownTag;
}

/** Names without a value stay as they are: a half sentence is better than none. */
export function fill(sentence: string, values: Readonly<Record<string, ValueOf>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function translator(language: LanguageTag, pack: Pack, shown: ShownTag = language): Translate {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const say = (key: PhraseKey, values?: Readonly<Record<string, ValueOf>>): string => fill(pack[key], values ?? {});
  return Object.assign(say, {
    language,
    shown,
    plural: (key: PluralKey, count: number): string => {
      const form = rules.select(count) === 'one' ? 'one' : 'other';
      return fill(pack[`${key}_${form}` as PhraseKey], { count: numbers.format(count) });
    },
    find: (key: string, values: Readonly<Record<string, ValueOf>> = {}): string | undefined =>
      Object.hasOwn(pack, key) ? fill(pack[key as PhraseKey], values) : undefined,
  }) as Translate;
}
