// Theme of an account: dark, light or system, with an accent colour and the tones derived from it.
import { type Colour, isThemeColour, parseColour, toHex } from './validation/colour.ts';

export const THEME_CHOICES = ['dark', 'light', 'system'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
export type ShownTheme = 'dark' | 'light';

export interface Theme {
  readonly choice: ThemeChoice;
  /** `#rrggbb`; null is the console's own. */
  readonly accent: string | null;
}

export const USUAL_THEME: Theme = { choice: 'dark', accent: null };

/** As it is kept with the account: `light`, or `light #1d4ed8`. */
export function themeText({ choice, accent }: Theme): string {
  return accent === null ? choice : `${choice} ${accent}`;
}

/** What is not known is as usual. */
export function parseTheme(text: string): Theme {
  const [first = '', second = ''] = text.trim().split(/\s+/);
  return {
    choice: THEME_CHOICES.find((choice) => choice === first) ?? USUAL_THEME.choice,
    accent: isThemeColour(second) ? fullHex(second) : null,
  };
}

/** Any form that people type as `#rrggbb`; null where it is no colour. */
export function accentOf(typed: string): string | null {
  const colour = parseColour(typed);
  return colour === undefined ? null : toHex(colour);
}

function fullHex(hex: string): string {
  return accentOf(hex) ?? hex;
}

/** Surfaces on which the accent must be readable, and the text that stands on it. */
const SURFACE: Record<ShownTheme, string> = { dark: '#0c1019', light: '#f6f7fb' };
const ON_ACCENT = ['#0a0f1f', '#ffffff'] as const;
/** WCAG 2.2: text, and controls. */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;

export type AccentTone = '--accent' | '--accent-hover' | '--accent-text' | '--on-accent';

/** The accent's tones for one theme: moved towards white or black until they can be seen and read. */
export function accentTones(accent: string, theme: ShownTheme): Record<AccentTone, string> {
  const away = theme === 'dark' ? '#ffffff' : '#000000';
  const filled = movedUntil(accent, away, (hex) => contrast(hex, SURFACE[theme]) >= CONTROL_CONTRAST);
  const on = contrast(filled, ON_ACCENT[0]) >= contrast(filled, ON_ACCENT[1]) ? ON_ACCENT[0] : ON_ACCENT[1];
  return {
    '--accent': filled,
    '--accent-hover': mixed(filled, on === '#ffffff' ? '#000000' : '#ffffff', 0.14),
    '--accent-text': movedUntil(filled, away, (hex) => contrast(hex, SURFACE[theme]) >= TEXT_CONTRAST),
    '--on-accent': on,
  };
}

function movedUntil(hex: string, towards: string, isGood: (hex: string) => boolean): string {
  for (let part = 0; part < 1; part += 0.04) {
    const candidate = mixed(hex, towards, part);
    if (isGood(candidate)) return candidate;
  }
  return towards;
}

function mixed(hex: string, other: string, part: number): string {
  const [from, to] = [colourOf(hex), colourOf(other)];
  const between = (name: 'red' | 'green' | 'blue') => Math.round(from[name] + (to[name] - from[name]) * part);
  return toHex({ red: between('red'), green: between('green'), blue: between('blue'), alpha: 1 });
}

function colourOf(hex: string): Colour {
  return parseColour(hex) ?? { red: 0, green: 0, blue: 0, alpha: 1 };
}

/** 1 to 21, by WCAG. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const { red, green, blue } = colourOf(hex);
  const [r, g, b] = [red, green, blue].map((byte) => {
    const share = byte / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
