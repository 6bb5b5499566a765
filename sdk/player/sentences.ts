// The words of the player in the language of the page around it, and the sentence for each of its states.
import { embeddedPlayer as english } from '@vedette/phrases/en/embedded-player.ts';
import { reasons as englishReasons } from '@vedette/phrases/en/errors.ts';
import { embeddedPlayer as chinese } from '@vedette/phrases/zh-CN/embedded-player.ts';
import { reasons as chineseReasons } from '@vedette/phrases/zh-CN/errors.ts';
import type { PlayerError, PlayerState } from './element-types.ts';

export type Words = Readonly<Record<keyof typeof english, string>>;

interface Language {
  readonly words: Words;
  /** By `code_` and a code, and by `reason_` and a reason of a device. */
  readonly causes: Readonly<Record<string, string>>;
}

const ENGLISH: Language = { words: english, causes: { ...english, ...englishReasons } };
const CHINESE: Language = { words: chinese, causes: { ...chinese, ...chineseReasons } };

/** `tag`: as in the attribute `lang`; whatever is not Chinese is English. */
export function languageOf(tag: string): Language {
  return /^zh\b/iu.test(tag) ? CHINESE : ENGLISH;
}

/** Null where the picture speaks for itself. */
export function sentenceOf({ words, causes }: Language, state: PlayerState): string | null {
  if (state.kind === 'live' || state.kind === 'playing' || state.kind === 'paused') return null;
  const cause = state.code === null ? undefined : causeOf(causes, { code: state.code, reason: state.reason });
  return cause === undefined ? words[state.kind] : `${words[state.kind]} · ${cause}`;
}

export function errorSentence({ words, causes }: Language, error: PlayerError): string {
  return causeOf(causes, error) ?? words.denied;
}

function causeOf(causes: Language['causes'], { code, reason }: PlayerError): string | undefined {
  return causes[`reason_${reason ?? ''}`] ?? causes[`code_${code}`];
}
