// Which theme is shown: dark, light or the system's. One attribute write on the document, no React render.
export const THEME_CHOICES = ['dark', 'light', 'system'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
export type Theme = 'dark' | 'light';

/** Also read by the inline script of index.html before the first paint. */
const STORAGE_KEY = 'vedette.theme';
const COLOUR_BY_THEME: Record<Theme, string> = { dark: '#0c1019', light: '#f6f7fb' };
const lightQuery = window.matchMedia('(prefers-color-scheme: light)');

export function readThemeChoice(): ThemeChoice {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEME_CHOICES.find((choice) => choice === stored) ?? 'dark';
}

export function shownTheme(choice: ThemeChoice = readThemeChoice()): Theme {
  if (choice === 'system') return lightQuery.matches ? 'light' : 'dark';
  return choice;
}

function paint(theme: Theme): void {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  root.dataset['mantineColorScheme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', COLOUR_BY_THEME[theme]);
}

export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(STORAGE_KEY, choice);
  paint(shownTheme(choice));
}

/** Paints the stored choice and follows the system's and other tabs' changes for the life of the page. */
export function startTheme(): void {
  paint(shownTheme());
  lightQuery.addEventListener('change', () => paint(shownTheme()));
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY) paint(shownTheme());
  });
}
