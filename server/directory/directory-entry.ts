// An entry of a directory, read by names of attributes without regard to their case.
import { isUtf8 } from 'node:buffer';

type Values = Readonly<Record<string, Buffer | string | readonly (Buffer | string)[]>> & { readonly dn: string };

/** Bits of Active Directory's userAccountControl: ACCOUNTDISABLE. */
const DISABLED_BIT = 2;
/** OpenLDAP's password policy: locked until an administrator opens it. */
const LOCKED_FOR_GOOD = '000001010000Z';

/** Attributes that say whether an account is shut, in the directories that have them. */
export const SHUT_ATTRIBUTES = ['userAccountControl', 'nsAccountLock', 'pwdAccountLockedTime'] as const;

export class DirectoryEntry {
  /** Distinguished name, as the directory writes it. */
  readonly name: string;
  readonly #values: ReadonlyMap<string, readonly (Buffer | string)[]>;

  constructor(entry: Values) {
    this.name = entry.dn;
    this.#values = new Map(
      Object.entries(entry).map(([name, value]) => [
        name.toLowerCase(),
        typeof value === 'string' || Buffer.isBuffer(value) ? [value] : value,
      ]),
    );
  }

  /** Without those that are no text. */
  texts(attribute: string): readonly string[] {
    return this.#of(attribute).flatMap((value) => (typeof value === 'string' ? [value] : textOf(value)));
  }

  bytes(attribute: string): readonly Buffer[] {
    return this.#of(attribute).map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  }

  /** Disabled by an administrator, as Active Directory, 389 Directory Server and OpenLDAP write it. */
  isShut(): boolean {
    const [control = '0'] = this.texts('userAccountControl');
    const [lock = ''] = this.texts('nsAccountLock');
    return (
      (Number(control) & DISABLED_BIT) !== 0 ||
      lock.toLowerCase() === 'true' ||
      this.texts('pwdAccountLockedTime').includes(LOCKED_FOR_GOOD)
    );
  }

  #of(attribute: string): readonly (Buffer | string)[] {
    return attribute === '' || attribute.toLowerCase() === 'dn'
      ? []
      : (this.#values.get(attribute.toLowerCase()) ?? []);
  }
}

/** None where the bytes are no UTF-8. */
function textOf(bytes: Buffer): string[] {
  return isUtf8(bytes) ? [bytes.toString('utf8')] : [];
}
