// Seals one value after another with the next master key, and notes those that neither key opens.
import { SecretBox } from '../core/secret-box.ts';

export interface MasterKeys {
  readonly from: Buffer;
  readonly to: Buffer;
}

export class Resealer {
  readonly #from: SecretBox;
  readonly #to: SecretBox;
  /** Sealed with the next key by now, also before. */
  count = 0;
  /** Where values lie that were lost before: they stay as they are. */
  readonly unreadable: string[] = [];

  constructor({ from, to }: MasterKeys) {
    this.#from = new SecretBox({ masterKey: from });
    this.#to = new SecretBox({ masterKey: to });
  }

  /** The same value where it needs no change or cannot be opened. `boundTo`: one of them is what it is bound to. */
  reseal(sealed: Buffer, boundTo: readonly string[], place: string): Buffer {
    if (boundTo.some((rowId) => opens(this.#to, sealed, rowId) !== null)) {
      this.count += 1;
      return sealed;
    }
    for (const rowId of boundTo) {
      const text = opens(this.#from, sealed, rowId);
      if (text === null) continue;
      this.count += 1;
      return this.#to.seal(text, rowId);
    }
    this.unreadable.push(place);
    return sealed;
  }

  /** Base64 both; empty text is no value. */
  resealText(sealed: string, boundTo: string, place: string): string {
    return sealed === '' ? '' : this.reseal(Buffer.from(sealed, 'base64'), [boundTo], place).toString('base64');
  }
}

function opens(box: SecretBox, sealed: Buffer, rowId: string): string | null {
  try {
    return box.open(sealed, rowId);
  } catch {
    return null; // sealed with the other key, or damaged: the caller notes what neither opens
  }
}
