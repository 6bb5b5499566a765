// Password strength for the indicator (WG-07): a hint; the rule is rules/validation.

/** −1 none, 0 and 1 weak, 2 medium, above that strong. */
export type StrengthLevel = 'none' | 'weak' | 'medium' | 'strong';

const CLASSES = [/\d/u, /\p{Ll}/u, /\p{Lu}/u, /[^\d\p{Ll}\p{Lu}]/u];
const SHORT = 6;
const LONG = 12;
/** Fewer different characters than this are weak however many they are. */
const FEW_DIFFERENT = 4;

/** One point per kind of character beyond the first, one for length; none for what is short or repeats itself. */
export function passwordScore(password: string): number {
  if (password === '') return -1;
  const characters = Array.from(password);
  if (characters.length < SHORT || new Set(characters).size < FEW_DIFFERENT) return 0;
  const kinds = CLASSES.filter((kind) => kind.test(password)).length;
  return kinds - 1 + (characters.length >= LONG ? 1 : 0);
}

export function strengthLevel(score: number): StrengthLevel {
  if (score < 0) return 'none';
  if (score <= 1) return 'weak';
  return score === 2 ? 'medium' : 'strong';
}
