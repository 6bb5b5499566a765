// What a further language may hold: any phrase, and the plural forms that English does not have (UI-09).
import type { PhraseKey, PluralKey } from '../pack.ts';

/** Polish and Russian: 2 to 4, and 5 and more. */
type FurtherPluralForm = 'few' | 'many';

/** What is missing is shown in English. */
export type FurtherPack = Readonly<Partial<Record<PhraseKey | `${PluralKey}_${FurtherPluralForm}`, string>>>;
