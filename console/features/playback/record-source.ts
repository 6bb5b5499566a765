// Where playback looks for recordings: ours, the device's own storage, or that where we have none.
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { createContext, useContext } from 'react';

export type RecordSource = (typeof RECORD_SOURCE)[keyof typeof RECORD_SOURCE];

const Source = createContext<RecordSource>(RECORD_SOURCE.auto);

/** Around everything that asks for recordings. */
export const RecordSourceProvider = Source.Provider;

export function useRecordSource(): RecordSource {
  return useContext(Source);
}

const WORDS: readonly (readonly [word: string, source: RecordSource])[] = [
  ['server', RECORD_SOURCE.cloud],
  ['device', RECORD_SOURCE.local],
];

/** As it stands in the address; nothing there is `auto`. */
export function readRecordSource(word: string | null): RecordSource {
  return WORDS.find(([known]) => known === word)?.[1] ?? RECORD_SOURCE.auto;
}

export function writeRecordSource(source: RecordSource): string | null {
  return WORDS.find(([, known]) => known === source)?.[0] ?? null;
}
