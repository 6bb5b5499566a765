// Tests of changing the language: further packs over English, and what stays when a pack does not come.
// @vitest-environment happy-dom
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as german } from '@vedette/phrases/further/de.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useToasts } from '../ui/feedback/toast-store.ts';
import { FURTHER_LOADERS } from './further-languages.ts';
import { chooseLanguage, currentTranslate, preferredLanguage, useLanguageStore } from './language-store.ts';

beforeEach(() => {
  localStorage.clear();
  useLanguageStore.setState({ t: null });
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.restoreAllMocks());

const alerts = () => useToasts.getState().toasts.map(({ text }) => text);

describe('[UI-09] a further language', () => {
  it('shows its own sentences, and English where it has none', async () => {
    await chooseLanguage('de');
    const t = currentTranslate();
    expect([t('login.submit'), t('errCode_1001')]).toEqual([german['login.submit'], german.errCode_1001]);
    expect(t('setup.title')).toBe(english['setup.title']);
    expect([t.language, t.shown, preferredLanguage()]).toEqual(['en', 'de', 'de']);
    expect(document.documentElement.lang).toBe('de');
  });
});

describe('[ER-05] [FT-51] a pack that does not come', () => {
  it('is alerted, and the old language stays', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    await chooseLanguage('zh-CN');
    vi.spyOn(FURTHER_LOADERS, 'de').mockRejectedValue(new TypeError('no network'));
    await chooseLanguage('de');
    expect(alerts()).toEqual(['Import Locale Error']);
    expect([currentTranslate().shown, preferredLanguage()]).toEqual(['zh-CN', 'zh-CN']);
  });
  it('leaves the first page in English', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    vi.spyOn(FURTHER_LOADERS, 'de').mockRejectedValue(new TypeError('no network'));
    await chooseLanguage('de');
    expect(currentTranslate().shown).toBe('en');
  });
});
