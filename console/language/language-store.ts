// The language of the console: which pack is loaded, and switching to another one (UI-03).
import { LANGUAGE_TAGS, type LanguageTag, type Pack } from '@vedette/phrases/pack.ts';
import { type Translate, translator } from '@vedette/phrases/translate.ts';
import { create } from 'zustand';
import { useClientState } from '../session/client-state.ts';
import { showToast } from '../ui/feedback/toast-store.ts';

const STORAGE_KEY = 'vedette.language';
/** Language numbers of the specification: 0 simplified Chinese, 1 English. */
export const LANGUAGE_NUMBER: Record<LanguageTag, number> = { 'zh-CN': 0, en: 1 };
export const LANGUAGE_TAG: Readonly<Record<number, LanguageTag>> = { 0: 'zh-CN', 1: 'en' };
/** Every language calls itself by its own name. */
export const LANGUAGE_NAMES: Record<LanguageTag, string> = { en: 'English', 'zh-CN': '简体中文' };

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
export function preferredLanguage(): LanguageTag {
  const stored = localStorage.getItem(STORAGE_KEY);
  const known = LANGUAGE_TAGS.find((tag) => tag === stored);
  if (known !== undefined) return known;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) &&
    !navigator.languages[0]?.toLowerCase().startsWith('en')
    ? 'zh-CN'
    : 'en';
}

/** Loads a pack and shows it; on failure the old language stays and the alert of ER-05 is shown. */
export async function showLanguage(tag: LanguageTag): Promise<boolean> {
  try {
    const { pack } = await loaders[tag]();
    document.documentElement.lang = tag;
    useClientState.setState({ globalLanguage: LANGUAGE_NUMBER[tag] });
    useLanguageStore.setState({ t: translator(tag, pack) });
    return true;
  } catch (failure) {
    console.error('language pack', tag, failure);
    showToast('error', 'Import Lang Error');
    return false;
  }
}

export async function chooseLanguage(tag: LanguageTag): Promise<void> {
  if (await showLanguage(tag)) localStorage.setItem(STORAGE_KEY, tag);
}

/** For code outside React; throws before the first pack has come, which start-up waits for. */
export function currentTranslate(): Translate {
  const { t } = useLanguageStore.getState();
  if (t === null) throw new Error('no phrase pack is loaded');
  return t;
}
