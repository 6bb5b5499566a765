// Loads the manual in the language of the console, once.
import { useQuery } from '@tanstack/react-query';
import type { LanguageTag } from '@vedette/phrases/pack.ts';
import { useT } from '../../language/use-t.ts';
import { type Manual, type ManualFiles, readManual } from './manual.ts';

const loaders: Readonly<Record<LanguageTag, () => Promise<{ readonly files: ManualFiles }>>> = {
  en: () => import('./english-files.ts'),
  'zh-CN': () => import('./chinese-files.ts'),
};

export function useManual() {
  const { language } = useT();
  return useQuery<Manual>({
    queryKey: ['manual', language],
    queryFn: async () => readManual((await loaders[language]()).files),
    staleTime: Number.POSITIVE_INFINITY,
    // The files are of this machine's server: a page that was loaded stays readable without it.
    networkMode: 'always',
    retry: false,
  });
}
