// Themes as text, and readable tones for any colour.
import { expect, test } from 'vitest';
import { accentOf, accentTones, contrast, parseTheme, themeText } from './theme.ts';

test('[WG-03] a theme round-trips through text', () => {
  for (const theme of [
    { choice: 'dark', accent: null },
    { choice: 'light', accent: '#1d4ed8' },
    { choice: 'system', accent: '#ff8800' },
  ] as const) {
    expect(parseTheme(themeText(theme))).toEqual(theme);
  }
});

test.each([
  ['', { choice: 'dark', accent: null }],
  ['blue', { choice: 'dark', accent: null }],
  ['light #12', { choice: 'light', accent: null }],
  ['light #F80', { choice: 'light', accent: '#ff8800' }],
  ['light url(x)', { choice: 'light', accent: null }],
])('[WG-03] an invalid theme falls back to the default: %j', (text, theme) => expect(parseTheme(text)).toEqual(theme));

test.each([
  ['#f80', '#ff8800'],
  ['rgb(255, 136, 0)', '#ff8800'],
  ['hsl(120, 100%, 50%)', '#00ff00'],
  ['ff880080', '#ff8800'],
  ['red', null],
])('[VA-09] %j becomes %s', (typed, hex) => expect(accentOf(typed)).toBe(hex));

test('[WG-03] tones of any colour are readable in both themes', () => {
  for (const accent of ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#808080', '#ffff00', '#8ba5ff']) {
    for (const [theme, surface] of [
      ['dark', '#0c1019'],
      ['light', '#f6f7fb'],
    ] as const) {
      const tones = accentTones(accent, theme);
      const where = `${accent} in ${theme}`;
      expect(contrast(tones['--accent'], surface), where).toBeGreaterThanOrEqual(3);
      expect(contrast(tones['--accent-text'], surface), where).toBeGreaterThanOrEqual(4.5);
      expect(contrast(tones['--accent'], tones['--on-accent']), where).toBeGreaterThanOrEqual(4.5);
    }
  }
});
