// Who may create which kind of account.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { expect, test } from 'vitest';
import { creatableUserTypes } from './user-types.ts';

const { super: operator, manage, ordinary, background, sub } = USER_TYPE;

test.each([
  ['an operator creates every kind', operator, [operator, manage, ordinary, background, sub]],
  ['an administrator of an organization creates sub-accounts', manage, [sub]],
  ['an owner creates sub-accounts', ordinary, [sub]],
  ['a sub-account creates nobody', sub, []],
  ['a background account creates nobody', background, []],
  ['a type of a later version creates nobody', 99, []],
])('%s', (_, creator, expected) => expect(creatableUserTypes(creator)).toEqual(expected));
