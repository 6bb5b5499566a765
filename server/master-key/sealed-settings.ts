// Every installation setting that holds values sealed with the master key, and where in it they stand.
import { ACCOUNT_SECRETS } from '@vedette/contract/calls/account-settings.ts';

/** Answers a value sealed anew; base64 both. Empty text is none. */
export type SealAnew = (sealed: string, boundTo: string) => string;

type Fields = Readonly<Record<string, unknown>>;

/** By the name of the setting; the code that seals it is named beside. */
export const SEALED_SETTINGS: Readonly<Record<string, (value: Fields, sealAnew: SealAnew) => Fields>> = {
  // settings/account-settings.ts
  account: (value, sealAnew) => ({ ...value, secrets: accountSecrets(value['secrets'], sealAnew) }),
  // mqtt-in/mqtt-in-settings.ts
  'mqtt-in': (value, sealAnew) => ({ ...value, sealed: sealAnew(textIn(value['sealed']), 'mqtt-in') }),
  // alarm-rule/vapid-keys.ts
  vapid: (value, sealAnew) => ({ ...value, sealed: sealAnew(textIn(value['sealed']), 'vapid') }),
};

function accountSecrets(secrets: unknown, sealAnew: SealAnew): Fields {
  const stored = typeof secrets === 'object' && secrets !== null ? (secrets as Fields) : {};
  const sealed = ACCOUNT_SECRETS.flatMap((name) => {
    const text = textIn(stored[name]);
    return text === '' ? [] : [[name, sealAnew(text, `setting account ${name}`)] as const];
  });
  return { ...stored, ...Object.fromEntries(sealed) };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
