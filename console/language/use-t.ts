// The translate function inside React: components render again when the language changes.
import type { Translate } from '@vedette/phrases/translate.ts';
import { useLanguageStore } from './language-store.ts';

export function useT(): Translate {
  const t = useLanguageStore((state) => state.t);
  if (t === null) throw new Error('no phrase pack is loaded');
  return t;
}
