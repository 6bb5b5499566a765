// The editable form of the settings of accounts, and what is wrong with it.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { AccountConfig, AccountSecret } from '@vedette/contract/calls/account-settings.ts';
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';

export type AccountSettings = CallOutput<'system/account/get'>;

export interface AccountDraft {
  readonly config: AccountConfig;
  /** Typed anew; empty keeps what is stored. */
  readonly secrets: Readonly<Record<AccountSecret, string>>;
}

const NO_SECRETS: AccountDraft['secrets'] = { mailPassword: '', smsToken: '', captchaSecret: '' };

export function draftOf(settings: AccountSettings): AccountDraft {
  return { config: settings.config, secrets: NO_SECRETS };
}

export function isChanged(draft: AccountDraft, settings: AccountSettings): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(settings));
}

export function inputOf(draft: AccountDraft, version: number): CallInput<'system/account/set'> {
  const typed = Object.entries(draft.secrets).filter(([, text]) => text !== '');
  return { config: draft.config, version, ...Object.fromEntries(typed) };
}

export const NEW_MAIL: NonNullable<AccountConfig['mail']> = {
  host: '',
  port: 465,
  security: 'tls',
  user: '',
  from: '',
};

export function newMaintenance(now: number): NonNullable<AccountConfig['maintenance']> {
  const start = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { text: '', startTime: start, endTime: start + HOUR_MS };
}

const WEB = /^https?:\/\/[^\s<>"']+$/;

/** The names of the fields that are not right; the server has the last word. */
export function badFields({ config }: AccountDraft): ReadonlySet<string> {
  const { mail, sms, captcha, maintenance, consoleUrl, environment } = config;
  const isRight: Readonly<Record<string, boolean>> = {
    ...(mail !== null && mailChecks(mail)),
    consoleUrl: consoleUrl === '' || /^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(consoleUrl),
    smsUrl: sms === null || WEB.test(sms.url),
    ...(captcha.kind === 'outside' && {
      scriptUrl: WEB.test(captcha.scriptUrl),
      verifyUrl: WEB.test(captcha.verifyUrl),
      appId: captcha.appId !== '',
    }),
    phoneCode: /^\d{0,4}$/.test(environment.phoneCode),
    oldWebsite: environment.oldWebsite === '' || WEB.test(environment.oldWebsite),
    centerServer: environment.centerServer === '' || WEB.test(environment.centerServer),
    ...(maintenance !== null && {
      text: maintenance.text.trim() !== '',
      endTime: maintenance.endTime > maintenance.startTime,
    }),
  };
  return new Set(Object.keys(isRight).filter((name) => isRight[name] === false));
}

function mailChecks({ host, from, port }: NonNullable<AccountConfig['mail']>) {
  return {
    host: /^[A-Za-z0-9.:-]{1,253}$/.test(host),
    from: /^[^\r\n][^\r\n@]*@[^\r\n]+$/.test(from),
    port: Number.isInteger(port) && port >= 1 && port <= 65_535,
  };
}

/** As `datetime-local` takes it, in the time of this browser. */
export function toLocalText(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Null while the field holds no time. */
export function fromLocalText(text: string): number | null {
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}

/** What each part of the form is given. */
export interface AccountPartProps {
  readonly settings: AccountSettings;
  readonly draft: AccountDraft;
  readonly bad: ReadonlySet<string>;
  readonly isTried: boolean;
  readonly onConfig: (part: Partial<AccountConfig>) => void;
  readonly onSecret: (name: AccountSecret, text: string) => void;
}
