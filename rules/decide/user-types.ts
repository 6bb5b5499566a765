// Who may create and manage which kind of account (PM-01).
import { USER_TYPE } from '@vedette/contract/enumerations.ts';

/** Types that an account of `creator` may create: the operator all, owners their own sub-accounts. */
export function creatableUserTypes(creator: number): readonly number[] {
  if (creator === USER_TYPE.super) {
    return [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary, USER_TYPE.background, USER_TYPE.sub];
  }
  if (creator === USER_TYPE.manage || creator === USER_TYPE.ordinary) return [USER_TYPE.sub];
  return [];
}
