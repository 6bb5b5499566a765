// Parses typed colours: hex of 3, 6 or 8 digits, hsl, hsv and rgb, with or without alpha (VA-09).

/** Channels 0 to 255, alpha 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** A theme colour: `#` and 3 or 6 hex digits. */
export function isThemeColour(text: string): boolean {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}

/** Undefined where the text is no colour of a known form. */
export function parseColour(text: string): Colour | undefined {
  const trimmed = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(trimmed)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const form = /^(rgb|hsl|hsv)a?\(([^()]*)\)$/.exec(trimmed);
  if (form?.[1] === undefined || form[2] === undefined) return undefined;
  return fromForm(form[1], form[2]);
}

function fromHex(hex: string): Colour {
  const digits = hex.length === 3 ? Array.from(hex, (digit) => digit + digit).join('') : hex;
  const byte = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return { red: byte(0), green: byte(2), blue: byte(4), alpha: digits.length === 8 ? byte(6) / 255 : 1 };
}

function fromForm(form: string, inside: string): Colour | undefined {
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '');
  if (parts.length !== 3 && parts.length !== 4) return undefined;
  const alpha = parts[3] === undefined ? 1 : share(parts[3], 1);
  const [first, second, third] = parts as [string, string, string];
  if (alpha === undefined) return undefined;
  if (form === 'rgb') return fromRgb([first, second, third], alpha);
  const hue = angle(first);
  const saturation = percent(second);
  const last = percent(third);
  if (hue === undefined || saturation === undefined || last === undefined) return undefined;
  return form === 'hsl' ? fromHsl(hue, saturation, last, alpha) : fromHsv(hue, saturation, last, alpha);
}

function fromRgb(parts: readonly string[], alpha: number): Colour | undefined {
  const [red, green, blue] = parts.map((part) => share(part, 255));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return { red: Math.round(red), green: Math.round(green), blue: Math.round(blue), alpha };
}

/** A number from 0 to `whole`, or a percentage of it. */
function share(text: string, whole: number): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text);
  if (match?.[1] === undefined) return undefined;
  const value = match[2] === '%' ? (Number(match[1]) / 100) * whole : Number(match[1]);
  return value <= whole ? value : undefined;
}

/** 0 to 1 from `50%` or `50`. */
function percent(text: string): number | undefined {
  const value = share(text.replace(/%$/, ''), 100);
  return value === undefined ? undefined : value / 100;
}

/** Degrees, brought into 0 (included) to 360 (not included). */
function angle(text: string): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?)(?:deg)?$/.exec(text);
  return match?.[1] === undefined ? undefined : ((Number(match[1]) % 360) + 360) % 360;
}

function fromHsl(hue: number, saturation: number, lightness: number, alpha: number): Colour {
  const value = lightness + saturation * Math.min(lightness, 1 - lightness);
  return fromHsv(hue, value === 0 ? 0 : 2 * (1 - lightness / value), value, alpha);
}

function fromHsv(hue: number, saturation: number, value: number, alpha: number): Colour {
  const channel = (offset: number) => {
    const k = (offset + hue / 60) % 6;
    return Math.round(255 * (value - value * saturation * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return { red: channel(5), green: channel(3), blue: channel(1), alpha };
}

/** `#rrggbb`; alpha is left out. */
export function toHex(colour: Colour): string {
  return `#${[colour.red, colour.green, colour.blue].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
