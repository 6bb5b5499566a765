// Account settings: mail and text messages, registration, captcha, documents; with encrypted secrets.
import {
  ACCOUNT_SECRETS,
  AccountConfig,
  type AccountSecret,
  USUAL_ENVIRONMENT,
} from '@vedette/contract/calls/account-settings.ts';
import { SESSION_DAYS } from '@vedette/contract/limits.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import { insertSettingIfAbsent, readSetting, replaceSetting } from '../database/account/setting.queries.ts';

const NAME = 'account';

const DEFAULTS: AccountConfig = {
  mail: null,
  consoleUrl: '',
  sms: null,
  canRegister: true,
  sessionDays: SESSION_DAYS.usual,
  allowsAllApps: false,
  captcha: { kind: 'own', scriptUrl: '', appId: '', verifyUrl: '' },
  maintenance: null,
  documentList: [],
  privacyUpdateTime: 0,
  environment: USUAL_ENVIRONMENT,
};

type Secrets = Readonly<Partial<Record<AccountSecret, string>>>;

interface Stored {
  readonly config: unknown;
  /** Sealed, base64. */
  readonly secrets: Secrets;
}

export interface AccountSettingsNow {
  readonly config: AccountConfig;
  /** In the open. */
  readonly secrets: Secrets;
  readonly version: number;
}

/** Left out keeps what is stored, null removes it. */
export type SecretChanges = Readonly<Partial<Record<AccountSecret, string | null | undefined>>>;

export class AccountSettings {
  readonly #database: Database;
  readonly #box: SecretBox;
  /** Of the outside check, as it was read last; null for none. Pages name it in their policy. */
  captchaOrigin: string | null = null;

  constructor(options: { database: Database; box: SecretBox }) {
    this.#database = options.database;
    this.#box = options.box;
  }

  async read(): Promise<AccountSettingsNow> {
    const stored = await readSetting(this.#database, NAME);
    if (stored === undefined) {
      await insertSettingIfAbsent(this.#database, NAME, { config: DEFAULTS, secrets: {} } satisfies Stored);
      return { config: DEFAULTS, secrets: {}, version: 1 };
    }
    const value = stored.value as Stored;
    // Fields that a later version brings have their defaults.
    const config = AccountConfig.parse({ ...DEFAULTS, ...(value.config as object) });
    this.captchaOrigin = config.captcha.kind === 'outside' ? new URL(config.captcha.scriptUrl).origin : null;
    return {
      config,
      secrets: this.#mapped(value.secrets, (text, name) => this.#box.open(Buffer.from(text, 'base64'), rowId(name))),
      version: stored.version,
    };
  }

  /** False when `version` is not the stored one any more. */
  async replace(config: AccountConfig, changes: SecretChanges, version: number): Promise<boolean> {
    const { secrets } = await this.read();
    const kept = Object.fromEntries(
      ACCOUNT_SECRETS.flatMap((name) => {
        const text = changes[name] === undefined ? secrets[name] : changes[name];
        return text === undefined || text === null ? [] : [[name, text]];
      }),
    ) as Secrets;
    const sealed = this.#mapped(kept, (text, name) => this.#box.seal(text, rowId(name)).toString('base64'));
    const value: Stored = { config, secrets: sealed };
    return (await replaceSetting(this.#database, NAME, value, version)) !== undefined;
  }

  #mapped(secrets: Secrets, change: (text: string, name: AccountSecret) => string): Secrets {
    return Object.fromEntries(
      ACCOUNT_SECRETS.flatMap((name) => {
        const text = secrets[name];
        return text === undefined ? [] : [[name, change(text, name)]];
      }),
    );
  }
}

function rowId(name: AccountSecret): string {
  return `setting ${NAME} ${name}`;
}
