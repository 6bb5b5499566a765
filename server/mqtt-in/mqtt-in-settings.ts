// Settings of incoming MQTT events: broker, camera mapping, and the encrypted password.
import type { MqttIn } from '@vedette/contract/calls/event.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { firstOperator } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { insertSettingIfAbsent, readSetting, replaceSetting } from '../database/account/setting.queries.ts';

const NAME = 'mqtt-in';
const NOTHING: MqttIn = { url: '', user: '', topic: 'frigate', cameraList: [] };

export interface StoredMqttIn extends MqttIn {
  readonly password: string;
  readonly version: number;
  /** Who named the cameras: alarms are raised with the rights that this account has now. */
  readonly accountId: string;
}

export class MqttInSettings {
  readonly #deps: { readonly database: Database; readonly box: SecretBox };

  constructor(parts: { readonly database: Database; readonly box: SecretBox }) {
    this.#deps = parts;
  }

  async read(): Promise<StoredMqttIn> {
    const { database, box } = this.#deps;
    const stored = await readSetting(database, NAME);
    if (stored === undefined) {
      await insertSettingIfAbsent(database, NAME, { ...NOTHING, sealed: '' });
      return { ...NOTHING, password: '', version: 1, accountId: '' };
    }
    const { sealed, accountId, ...rest } = stored.value as MqttIn & { sealed: string; accountId?: string };
    const password = sealed === '' ? '' : box.open(Buffer.from(sealed, 'base64'), NAME);
    // Of installations that stored it before: the first operator's.
    const namedBy = accountId ?? (await firstOperator(database))?.account_id ?? '';
    return { ...rest, password, version: stored.version, accountId: namedBy };
  }

  /** Undefined when `version` is not the stored one any more. */
  async replace(
    given: MqttIn,
    by: { readonly accountId: string; readonly password: string },
    version: number,
  ): Promise<number | undefined> {
    const { accountId, password } = by;
    const sealed = password === '' ? '' : this.#deps.box.seal(password, NAME).toString('base64');
    return await replaceSetting(this.#deps.database, NAME, { ...given, sealed, accountId }, version);
  }
}
