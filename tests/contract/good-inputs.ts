// One valid input for every call of the contract, in a callable order; a new call does not compile without one.
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { accountInputs } from './inputs/account-inputs.ts';
import { analysisInputs } from './inputs/analysis-inputs.ts';
import { appInputs } from './inputs/app-inputs.ts';
import { deviceInputs } from './inputs/device-inputs.ts';
import type { GoodInputs } from './inputs/good-input.ts';
import { shareAndAlarmInputs } from './inputs/share-and-alarm-inputs.ts';

export const goodInputs: GoodInputs = {
  ...accountInputs,
  ...analysisInputs,
  ...appInputs,
  ...deviceInputs,
  ...shareAndAlarmInputs,
};

/** Calls whose good input is refused by design once the stage is set; refused-calls.test.ts gives each what it takes to succeed. */
export const refusedByDesign = {
  'event/ingest': 1001,
  'account/setup': 1007,
  // No mail server is configured, and no code was ever sent.
  'account/verifyCode/send': 1006,
  'account/register': 1006,
  'account/password/retrieve': 1015,
  'account/contact/bind': 1015,
  'system/account/test': 1006,
  'account/twofactor/enable': 1015,
  'account/twofactor/disable': 1007,
  'account/twofactor/recovery': 1007,
  'account/video/open': 1007,
  'account/notice/confirm': 1007,
  'account/password/reset/open': 1007,
  'account/password/reset/use': 1007,
  // The stage's channel is no mail, and no address was asked.
  'alarm/channel/ask': 1007,
  // No app has asked anything: oauth.test.ts.
  'oauth/interaction/get': 1007,
  'oauth/interaction/confirm': 1007,
  'oauth/interaction/abort': 1007,
  'oauth/device/get': 1007,
  'oauth/device/confirm': 1007,
  // A session launches nothing.
  'oauth/launch/begin': 1006,
  'oauth/launch/get': 1007,
  'oauth/launch/confirm': 1007,
  'oauth/launch/abort': 1007,
  'oauth/grant/revoke': 1007,
  'alarm/consent/open': 1007,
  'alarm/consent/answer': 1007,
  'user/twofactor/reset': 1007,
  'trustDevice/delete': 1007,
  // No identity provider has signed anybody in: identity-provider.test.ts.
  'identity/provider/delete': 1007,
  'identity/signIn/begin': 1007,
  'identity/signIn/finish': 1044,
  'identity/signIn/handOver': 1044,
  'identity/signIn/redeem': 1044,
  'identity/link/begin': 1007,
  'identity/link/finish': 1044,
  'identity/link/delete': 1007,
  'identity/link/directory': 1007,
  'identity/proof/begin': 1006,
  // No shell registered a key: sign-in-key.test.ts.
  'account/key/ticket': 2004,
  'account/key/signIn': 2004,
  'account/key/delete': 1007,
  // The last operator stays.
  'account/erase': 1004,
} satisfies Partial<Record<CallPath, number>>;
