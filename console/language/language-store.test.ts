// Tests of changing the language: further packs over English, and what stays when a pack does not come.
// @vitest-environment happy-dom
import { pack as english } from '@vedette/phrases/en/pack.ts';
import german from '@vedette/phrases/further/de.json' with { type: 'json' };
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
  it('shows its own sentences', async () => {
    await chooseLanguage('de');
    const t = currentTranslate();
    expect([t('login.submit'), t('errCode_1001')]).toEqual([german['login.submit'], german.errCode_1001]);
    expect([t.language, t.shown, preferredLanguage()]).toEqual(['en', 'de', 'de']);
    expect(document.documentElement.lang).toBe('de');
  });
  it('shows English where it has none, by the plural rule of English', async () => {
    vi.spyOn(FURTHER_LOADERS, 'ja').mockResolvedValue({ default: { 'login.submit': 'サインイン' } });
    await chooseLanguage('ja');
    const t = currentTranslate();
    expect([t('login.submit'), t('setup.title')]).toEqual(['サインイン', english['setup.title']]);
    expect([t.plural('live.shown', 1), t.plural('live.shown', 2)]).toEqual(['1 camera', '2 cameras']);
  });
  it('counts by its own plural forms', async () => {
    const forms = { one: 'kamera', few: 'kamery', many: 'kamer', other: 'kamery' };
    const pack = Object.fromEntries(
      Object.entries(forms).map(([form, word]) => [`live.shown_${form}`, `{count} ${word}`]),
    );
    vi.spyOn(FURTHER_LOADERS, 'pl').mockResolvedValue({ default: pack });
    await chooseLanguage('pl');
    const counted = [1, 3, 5, 22, 112, 1.5].map((count) => currentTranslate().plural('live.shown', count));
    expect(counted).toEqual(['1 kamera', '3 kamery', '5 kamer', '22 kamery', '112 kamer', '1,5 kamery']);
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
