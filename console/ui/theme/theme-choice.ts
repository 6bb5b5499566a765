// Which theme is shown: dark, light or the system's, and its accent. Attribute and variable writes on the document, no React render.
import {
  accentTones,
  parseTheme,
  type ShownTheme,
  THEME_CHOICES,
  type Theme,
  type ThemeChoice,
} from '@vedette/rules/theme.ts';

export { THEME_CHOICES, type Theme, type ThemeChoice };

/** Also read by the inline script of index.html before the first paint. */
const STORAGE_KEY = 'vedette.theme';
/** Tones of the chosen accent for both themes, so that the first paint has them; absent for the console's own. */
const ACCENT_KEY = 'vedette.accent';
const COLOUR_BY_THEME: Record<ShownTheme, string> = { dark: '#0c1019', light: '#f6f7fb' };
const lightQuery = window.matchMedia('(prefers-color-scheme: light)');

export function readThemeChoice(): ThemeChoice {
  return readTheme().choice;
}

export function readTheme(): Theme {
  const accent = /"hex":"(#[0-9a-f]{6})"/.exec(localStorage.getItem(ACCENT_KEY) ?? '')?.[1];
  return parseTheme(`${localStorage.getItem(STORAGE_KEY) ?? ''} ${accent ?? ''}`);
}

export function shownTheme(choice: ThemeChoice = readThemeChoice()): ShownTheme {
  if (choice === 'system') return lightQuery.matches ? 'light' : 'dark';
  return choice;
}

function paint({ choice, accent }: Theme): void {
  const root = document.documentElement;
  const theme = shownTheme(choice);
  root.dataset['theme'] = theme;
  root.dataset['mantineColorScheme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', COLOUR_BY_THEME[theme]);
  const tones = Object.entries(accentTones(accent ?? '#000000', theme));
  for (const [name, value] of tones) {
    if (accent === null) root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
}

/** Kept in this browser and shown at once. */
export function showTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme.choice);
  if (theme.accent === null) localStorage.removeItem(ACCENT_KEY);
  else {
    const tones = { dark: accentTones(theme.accent, 'dark'), light: accentTones(theme.accent, 'light') };
    localStorage.setItem(ACCENT_KEY, JSON.stringify({ hex: theme.accent, ...tones }));
  }
  paint(theme);
}

/** The specification's GET of the main stylesheet at a switch: it comes from the cache, and a fresh one after an upgrade. */
export async function fetchStylesheet(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"][href]');
  if (link === null) return;
  await fetch(link.href).catch((failure: unknown) => console.warn('stylesheet not fetched', failure));
}

/** Paints the stored choice and follows the system's and other tabs' changes for the life of the page. */
export function startTheme(): void {
  paint(readTheme());
  lightQuery.addEventListener('change', () => paint(readTheme()));
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY || event.key === ACCENT_KEY) paint(readTheme());
  });
}
