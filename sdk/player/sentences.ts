// The words of the player in the language of the page around it, and the sentence for each of its states.
import { embeddedPlayer as english } from '@vedette/phrases/en/embedded-player.ts';
import { embeddedPlayer as chinese } from '@vedette/phrases/zh-CN/embedded-player.ts';
import type { PlayerError, PlayerState } from './element-types.ts';

export type Words = Readonly<Record<keyof typeof english, string>>;

/** `tag`: as in the attribute `lang`; whatever is not Chinese is English. */
export function languageOf(tag: string): Words {
  return /^zh\b/iu.test(tag) ? chinese : english;
}

/** Null where the picture speaks for itself. */
export function sentenceOf(words: Words, { kind, code, reason }: PlayerState): string | null {
  if (kind === 'live' || kind === 'playing' || kind === 'paused') return null;
  const cause = code === null ? undefined : causeOf(words, { code, reason });
  return cause === undefined ? words[kind] : `${words[kind]} · ${cause}`;
}

export function errorSentence(words: Words, error: PlayerError): string {
  return causeOf(words, error) ?? words.denied;
}

/** Of a newer server the player may know neither. */
function causeOf(words: Readonly<Record<string, string>>, { code, reason }: PlayerError): string | undefined {
  return words[`reason_${reason ?? ''}`] ?? words[`code_${code}`];
}
