// The form of the settings of accounts: what is kept, what is sent, what is wrong.
import { USUAL_ENVIRONMENT } from '@vedette/contract/calls/account-settings.ts';
import { expect, it } from 'vitest';
import {
  type AccountSettings,
  badFields,
  draftOf,
  fromLocalText,
  inputOf,
  isChanged,
  NEW_MAIL,
  newMaintenance,
  toLocalText,
} from './account-draft.ts';

const settings: AccountSettings = {
  config: {
    mail: null,
    consoleUrl: '',
    sms: null,
    canRegister: true,
    sessionDays: 90,
    allowsAllApps: false,
    captcha: { kind: 'own', scriptUrl: '', appId: '', verifyUrl: '' },
    maintenance: null,
    documentList: [],
    privacyUpdateTime: 0,
    environment: USUAL_ENVIRONMENT,
  },
  version: 3,
  secretList: ['mailPassword'],
  lastFailure: null,
};

it('is unchanged until something is typed, and sends a secret only where one was typed', () => {
  const draft = draftOf(settings);
  expect(isChanged(draft, settings)).toBe(false);
  expect(inputOf(draft, 3)).toEqual({ config: settings.config, version: 3 });
  const typed = { ...draft, secrets: { ...draft.secrets, smsToken: 'x' } };
  expect(isChanged(typed, settings)).toBe(true);
  expect(inputOf(typed, 3)).toEqual({ config: settings.config, version: 3, smsToken: 'x' });
});

it('names the fields that are not right', () => {
  const bad = (part: object) => [...badFields({ ...draftOf(settings), config: { ...settings.config, ...part } })];
  expect(bad({})).toEqual([]);
  expect(bad({ mail: NEW_MAIL })).toEqual(['host', 'from']);
  expect(bad({ mail: { ...NEW_MAIL, host: 'mail.example.org', from: 'A <a@example.org>' } })).toEqual([]);
  expect(bad({ consoleUrl: 'https://cameras.example.org:8443' })).toEqual([]);
  expect(bad({ consoleUrl: 'https://cameras.example.org/path' })).toEqual(['consoleUrl']);
  expect(bad({ sms: { url: 'ftp://x' } })).toEqual(['smsUrl']);
  expect(bad({ captcha: { ...settings.config.captcha, kind: 'outside' } })).toEqual([
    'scriptUrl',
    'verifyUrl',
    'appId',
  ]);
  const environment = (part: object) => bad({ environment: { ...USUAL_ENVIRONMENT, ...part } });
  expect(environment({ phoneCode: '86', oldWebsite: 'https://old.example.org', centerServer: '' })).toEqual([]);
  expect(environment({ phoneCode: '+86', oldWebsite: 'old', centerServer: 'x' })).toEqual([
    'phoneCode',
    'oldWebsite',
    'centerServer',
  ]);
  expect(bad({ maintenance: newMaintenance(0) })).toEqual(['text']);
  expect(bad({ maintenance: { text: 'x', startTime: 2, endTime: 1 } })).toEqual(['endTime']);
});

it('shows times as the browser takes them, to the minute', () => {
  const at = new Date(2026, 10, 22, 9, 5).getTime();
  expect(toLocalText(at)).toBe('2026-11-22T09:05');
  expect(fromLocalText('2026-11-22T09:05')).toBe(at);
  expect(fromLocalText('')).toBeNull();
});
