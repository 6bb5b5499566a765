// Names of kinds of accounts, also of kinds that a later version brings.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { User } from '@vedette/contract/calls/user.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { expect, it } from 'vitest';
import { enumerationText } from '../../language/enumeration-text.ts';
import { TYPE_WORDS } from './permission-words.ts';

it('[EN-04] a kind of account outside the table is taken, and shown as unknown', () => {
  const t = translator('en', pack);
  const { userType } = User.pick({ userType: true }).parse({ userType: 42 });
  expect(enumerationText(t, TYPE_WORDS, userType)).toBe('Unknown');
  for (const type of Object.values(USER_TYPE)) expect(enumerationText(t, TYPE_WORDS, type)).not.toBe('Unknown');
});
