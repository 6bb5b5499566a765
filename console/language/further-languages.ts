// The further languages: each pack is a file of its own that is fetched when somebody chooses it.
import type { FurtherPack } from '@vedette/phrases/further/further-pack.ts';
import { FURTHER_TAGS, type FurtherTag, type ShownTag } from '@vedette/phrases/pack.ts';

/** Written out: a bundler makes a file of its own of what it can read. */
export const FURTHER_LOADERS: Readonly<Record<FurtherTag, () => Promise<{ readonly pack: FurtherPack }>>> = {
  de: () => import('@vedette/phrases/further/de.ts'),
  fr: () => import('@vedette/phrases/further/fr.ts'),
  es: () => import('@vedette/phrases/further/es.ts'),
  it: () => import('@vedette/phrases/further/it.ts'),
  'pt-BR': () => import('@vedette/phrases/further/pt-br.ts'),
  nl: () => import('@vedette/phrases/further/nl.ts'),
  pl: () => import('@vedette/phrases/further/pl.ts'),
  ru: () => import('@vedette/phrases/further/ru.ts'),
  ja: () => import('@vedette/phrases/further/ja.ts'),
  ko: () => import('@vedette/phrases/further/ko.ts'),
};

export function isFurther(tag: ShownTag): tag is FurtherTag {
  return FURTHER_TAGS.some((one) => one === tag);
}
