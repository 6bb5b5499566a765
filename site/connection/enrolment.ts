// Enrolment of this remote site: serial, its own credential and the server's certificate authority, stored sealed.
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import type { SealedFile } from '../state/sealed-file.ts';

export interface Enrolled {
  /** `https://host:port` of the server. */
  readonly server: string;
  readonly serial: string;
  /** 256 random bits, base64url. The server stores only the hash. */
  readonly credential: string;
  /** PEM of the server's own authority; null: the system's authorities. */
  readonly authority: string | null;
  /** Registration code, until the server has accepted the credential. */
  readonly code: string | null;
}

export interface EnrolmentParameters {
  readonly server: string;
  readonly serial: string;
  readonly code: string;
  /** SHA-256 of the authority's certificate, lower-case hex; empty: the system's authorities. */
  readonly authority: string;
}

export interface EnrolmentOptions {
  readonly file: SealedFile;
  readonly onFault: (error: unknown) => void;
}

export class Enrolment {
  readonly #options: EnrolmentOptions;
  #enrolled: Enrolled | null = null;

  constructor(options: EnrolmentOptions) {
    this.#options = options;
  }

  /** `given` on the command line overrides what is stored. Throws without either. */
  async load(
    given: EnrolmentParameters | null,
    fetchAuthority: (given: EnrolmentParameters) => Promise<string | null>,
  ): Promise<void> {
    const kept = (await this.#options.file.read(this.#options.onFault)) as Enrolled | null;
    if (given === null) {
      if (kept === null) throw new Error('this site is not enrolled yet: give --server, --serial and --code');
      this.#enrolled = kept;
      return;
    }
    const isSame = kept !== null && kept.serial === given.serial;
    const authority = given.authority === '' ? null : await fetchAuthority(given);
    const credential = isSame ? kept.credential : newSecret();
    const code = given.code === '' ? null : given.code;
    this.#enrolled = { server: given.server, serial: given.serial, credential, authority, code };
    // Stored before it is sent: a lost answer must not cost the code.
    await this.#options.file.write(this.#enrolled);
  }

  get enrolled(): Enrolled {
    if (this.#enrolled === null) throw new Error('not loaded');
    return this.#enrolled;
  }

  /** The server accepted the credential: the code is deleted. */
  accepted(): void {
    const { file, onFault } = this.#options;
    if (this.enrolled.code === null) return;
    this.#enrolled = { ...this.enrolled, code: null };
    file.write(this.#enrolled).catch(onFault);
  }
}
