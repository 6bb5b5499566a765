// The further languages: each pack is a file of its own that is fetched when somebody chooses it.
import { FURTHER_TAGS, type FurtherPack, type FurtherTag, type ShownTag } from '@vedette/phrases/pack.ts';

/** Written out: a bundler makes a file of its own of what it can read. */
export const FURTHER_LOADERS: Readonly<Record<FurtherTag, () => Promise<{ readonly default: FurtherPack }>>> = {
  de: () => import('@vedette/phrases/further/de.json', { with: { type: 'json' } }),
  fr: () => import('@vedette/phrases/further/fr.json', { with: { type: 'json' } }),
  es: () => import('@vedette/phrases/further/es.json', { with: { type: 'json' } }),
  it: () => import('@vedette/phrases/further/it.json', { with: { type: 'json' } }),
  'pt-BR': () => import('@vedette/phrases/further/pt-br.json', { with: { type: 'json' } }),
  nl: () => import('@vedette/phrases/further/nl.json', { with: { type: 'json' } }),
  pl: () => import('@vedette/phrases/further/pl.json', { with: { type: 'json' } }),
  ru: () => import('@vedette/phrases/further/ru.json', { with: { type: 'json' } }),
  ja: () => import('@vedette/phrases/further/ja.json', { with: { type: 'json' } }),
  ko: () => import('@vedette/phrases/further/ko.json', { with: { type: 'json' } }),
};

export function isFurther(tag: ShownTag): tag is FurtherTag {
  return FURTHER_TAGS.some((one) => one === tag);
}
