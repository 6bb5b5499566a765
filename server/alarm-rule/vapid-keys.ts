// VAPID key pair for web push (RFC 8292): created once, the private key stored encrypted.
import webPush from 'web-push';
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import { insertSettingIfAbsent, readSetting } from '../database/account/setting.queries.ts';

const NAME = 'vapid';
/** Contact that push services require. */
const SUBJECT = 'https://vedette.invalid';

interface StoredKeys {
  readonly publicKey: string;
  readonly sealed: string;
}

export class VapidKeys {
  readonly #deps: { readonly database: Database; readonly box: SecretBox };

  constructor(parts: { readonly database: Database; readonly box: SecretBox }) {
    this.#deps = parts;
  }

  async read(): Promise<{ publicKey: string; privateKey: string; subject: string }> {
    const { publicKey, sealed } = await this.#stored();
    return { publicKey, privateKey: this.#deps.box.open(Buffer.from(sealed, 'base64'), NAME), subject: SUBJECT };
  }

  async #stored(): Promise<StoredKeys> {
    const { database, box } = this.#deps;
    const known = await readSetting(database, NAME);
    if (known !== undefined) return known.value as StoredKeys;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    await insertSettingIfAbsent(database, NAME, { publicKey, sealed: box.seal(privateKey, NAME).toString('base64') });
    return await this.#stored();
  }
}
