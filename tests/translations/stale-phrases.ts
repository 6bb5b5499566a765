// Which translations of further languages are stale: their English sentence has changed or is gone since they were made.
import { createHash } from 'node:crypto';

/** Of each translated English sentence, as it was then. */
export type Fingerprints = Readonly<Record<string, string>>;

export function fingerprint(sentence: string): string {
  return createHash('sha256').update(sentence).digest('hex').slice(0, 8);
}

/** `few` and `many` are made from the plural. */
export function englishKey(key: string): string {
  return key.replace(/_(few|many)$/u, '_other');
}

export function staleKeys(
  translated: Iterable<string>,
  english: Readonly<Record<string, string>>,
  fingerprints: Fingerprints,
): string[] {
  return [...translated].filter((key) => {
    const sentence = english[englishKey(key)];
    return sentence === undefined || fingerprints[englishKey(key)] !== fingerprint(sentence);
  });
}
