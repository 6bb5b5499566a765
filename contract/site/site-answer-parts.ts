// Building blocks for the schemas of site answers: bounded texts, numbers, lists, and values of devices.
import { z } from 'zod';
import { quality } from '../entities.ts';
import { storableText } from '../storable-text.ts';

/**
 * Most that an answer of a site may hold. Texts are UTF-16 units. `spans` is a year of a camera with six hundred
 * recordings a day; `base64` a picture of 6 MB; `values` and `depth` what one section of a device's configuration has.
 */
export const SITE_ANSWER_LIMITS = {
  token: 256,
  name: 256,
  path: 4096,
  warning: 512,
  base64: 8 * 1024 * 1024,
  spans: 220_000,
  days: 4000,
  /** Of one device; an account may have fewer. */
  channels: 1024,
  streamsOfChannel: 16,
  presets: 1024,
  found: 4096,
  tickets: 100_000,
  exports: 10_000,
  /** Streams of one site with their counters. */
  streams: 20_000,
  counters: 128,
  words: 256,
  values: 5000,
  depth: 12,
} as const;

/** The site's own text: too long is invalid. */
export const siteText = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((text) => storableText(text, most));
/** Text from the device: truncated instead of rejected, since the device must still be usable. */
export const deviceText = (most: number) => z.string().overwrite((text) => storableText(text, most));
/** Bytes, milliseconds, counts: finite and not negative. */
export const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
export const percent = z.number().min(0).max(100);
/** Wall-clock ms since 1970 UTC: the media engine knows fractions of them, columns and calls do not. */
export const siteTimeMs = z
  .number()
  .min(0)
  .max(8.64e15)
  .overwrite((ms) => Math.floor(ms));

/** Carries no data; its content is ignored. */
export const done = z.unknown().transform((): Record<string, never> => ({}));

export const days = z.array(z.string().regex(/^\d{4}-\d\d-\d\d$/)).max(SITE_ANSWER_LIMITS.days);

/** Wall-clock ms; one that ends before it begins is none. */
export const span = z
  .object({ startTime: siteTimeMs, endTime: siteTimeMs })
  .refine(({ startTime, endTime }) => startTime <= endTime);

/** Implausible figures of a camera become unknown instead of invalid. */
export const siteStream = z.object({
  quality,
  codec: deviceText(32),
  width: z.number().int().min(0).max(65_535).catch(0),
  height: z.number().int().min(0).max(65_535).catch(0),
  fps: z.number().min(0).max(1000).nullable().catch(null),
  kbps: z.number().min(0).max(10_000_000).nullable().catch(null),
  audio: deviceText(32).nullable(),
});

/** Values of a device by name, as deep and as many as a section of its configuration has. */
export const deviceValues = z
  .custom<Readonly<Record<string, unknown>>>((value) => isPlainObject(value) && isBounded(value))
  .transform((value) => ({ ...value }));

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without recursion, so that depth costs no stack. */
function isBounded(root: object): boolean {
  const left: { readonly value: object; readonly depth: number }[] = [{ value: root, depth: 1 }];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const [name, value] of Object.entries(next.value) as [string, unknown][]) {
      count += 1;
      if (count > SITE_ANSWER_LIMITS.values || name.length > SITE_ANSWER_LIMITS.name) return false;
      if (!isBoundedScalar(value)) return false;
      if (typeof value !== 'object' || value === null) continue;
      if (next.depth >= SITE_ANSWER_LIMITS.depth) return false;
      left.push({ value, depth: next.depth + 1 });
    }
  }
  return true;
}

/** True for an object too: its content is counted separately. */
function isBoundedScalar(value: unknown): boolean {
  if (typeof value === 'string') return storableText(value, SITE_ANSWER_LIMITS.path) === value;
  return typeof value !== 'number' || Number.isFinite(value);
}
