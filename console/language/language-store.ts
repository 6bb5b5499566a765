// The language of the console: which pack is loaded, and switching to another one (UI-03).
import { type FurtherTag, type LanguageTag, type Pack, SHOWN_TAGS, type ShownTag } from '@vedette/phrases/pack.ts';
import { type Further, type Translate, translator } from '@vedette/phrases/translate.ts';
import { create } from 'zustand';
import { useClientState } from '../session/client-state.ts';
import { showToast } from '../ui/feedback/toast-store.ts';
import { FURTHER_LOADERS, isFurther } from './further-languages.ts';

const STORAGE_KEY = 'vedette.language';
/** Language numbers of the specification: 0 simplified Chinese, 1 English. */
export const LANGUAGE_NUMBER: Record<LanguageTag, number> = { 'zh-CN': 0, en: 1 };
export const LANGUAGE_TAG: Readonly<Record<number, LanguageTag>> = { 0: 'zh-CN', 1: 'en' };
/** Every language calls itself by its own name. */
export const LANGUAGE_NAMES: Record<ShownTag, string> = {
  en: 'English',
  'zh-CN': '简体中文',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  'pt-BR': 'Português (Brasil)',
  nl: 'Nederlands',
  pl: 'Polski',
  ru: 'Русский',
  ja: '日本語',
  ko: '한국어',
};

const loaders: Record<LanguageTag, () => Promise<{ readonly pack: Pack }>> = {
  en: () => import('@vedette/phrases/en/pack.ts'),
  'zh-CN': () => import('@vedette/phrases/zh-CN/pack.ts'),
};

interface LanguageState {
  /** Null until the first pack has come. */
  readonly t: Translate | null;
}
export const useLanguageStore = create<LanguageState>(() => ({ t: null }));

/** The stored choice, else the browser's own language, else English. */
export function preferredLanguage(): ShownTag {
  const stored = localStorage.getItem(STORAGE_KEY);
  const known = SHOWN_TAGS.find((tag) => tag === stored);
  if (known !== undefined) return known;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) &&
    !navigator.languages[0]?.toLowerCase().startsWith('en')
    ? 'zh-CN'
    : 'en';
}

/** The pack with every sentence behind a language: its own, or English. */
export function wholeLanguage(tag: ShownTag): LanguageTag {
  return isFurther(tag) ? 'en' : tag;
}

/** Null, and the alert of ER-05, where the file does not come. */
async function fetched<P>(
  tag: ShownTag,
  alert: 'Import Lang Error' | 'Import Locale Error',
  load: () => Promise<P>,
): Promise<P | null> {
  try {
    return await load();
  } catch (failure) {
    console.error('language pack', tag, failure);
    showToast('error', alert);
    return null;
  }
}

/** Loads a pack and shows it; on failure the old language stays, and the first page is in English. */
export async function showLanguage(tag: ShownTag): Promise<boolean> {
  const whole = wholeLanguage(tag);
  const base = await fetched(tag, 'Import Lang Error', loaders[whole]);
  const further = isFurther(tag) ? await fetched(tag, 'Import Locale Error', furtherLoader(tag)) : undefined;
  if (base === null || further === null) {
    if (useLanguageStore.getState().t === null && tag !== 'en') await showLanguage('en');
    return false;
  }
  document.documentElement.lang = tag;
  useClientState.setState({ globalLanguage: LANGUAGE_NUMBER[whole] });
  useLanguageStore.setState({ t: translator(whole, base.pack, further) });
  return true;
}

function furtherLoader(tag: FurtherTag): () => Promise<Further> {
  return async () => ({ tag, pack: (await FURTHER_LOADERS[tag]()).default });
}

export async function chooseLanguage(tag: ShownTag): Promise<void> {
  if (await showLanguage(tag)) localStorage.setItem(STORAGE_KEY, tag);
}

/** For code outside React; throws before the first pack has come, which start-up waits for. */
export function currentTranslate(): Translate {
  const { t } = useLanguageStore.getState();
  if (t === null) throw new Error('no phrase pack is loaded');
  return t;
}
