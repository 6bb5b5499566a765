// Signs SOAP calls and learns per device how it wants to be signed: WS-Security, HTTP digest, or not at all.
import { Authenticator } from '@vedette/protocols/http-digest/authenticator.ts';
import { usernameTokenHeader } from '@vedette/protocols/soap/ws-security.ts';
import type { XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import type { DeviceCredentials } from '../../kit/driver.ts';
import type { SoapOutcome } from './soap-outcome.ts';

export type AuthMode = 'ws-security' | 'digest';

export interface SoapAuthOptions {
  readonly credentials: DeviceCredentials | null;
  readonly randomBytes: (count: number) => Buffer;
  /** What served last time, so that no login is wasted on trying. */
  readonly mode: AuthMode | null;
}

export interface SignedCall {
  /** Null sends nothing at all, which asks a digest device for its challenge. */
  readonly mode: AuthMode | null;
  readonly securityHeader: XmlNode | null;
  readonly authorization: string | null;
}

/** What one call has tried so far; a new one per call. */
export interface AuthTrial {
  readonly tried: Set<string>;
}

export class SoapAuth {
  readonly #options: SoapAuthOptions;
  readonly #digest: Authenticator;
  #mode: AuthMode;
  #proven: AuthMode | null = null;

  constructor(options: SoapAuthOptions) {
    this.#options = options;
    this.#mode = options.mode ?? 'ws-security';
    // Basic would hand the password to whoever answers.
    this.#digest = new Authenticator({
      secret: options.credentials,
      randomBytes: options.randomBytes,
      allowBasic: false,
    });
  }

  /** The mode that has served, or null before any signed call succeeded. */
  get provenMode(): AuthMode | null {
    return this.#proven;
  }

  /** Whether the next call carries a UsernameToken and so needs the device's time. */
  get needsClock(): boolean {
    return this.#options.credentials !== null && this.#mode === 'ws-security';
  }

  /** `plainBody` is the envelope without a Security header: what a digest with auth-int covers. */
  sign(uri: string, plainBody: string, deviceNowMs: number): SignedCall {
    const { credentials } = this.#options;
    if (credentials === null) return unsignedCall;
    if (this.#mode === 'digest') {
      const authorization = this.#digest.authorize({ method: 'POST', uri, body: plainBody });
      return { mode: authorization === null ? null : 'digest', securityHeader: null, authorization };
    }
    const nonce = this.#options.randomBytes(16);
    const securityHeader = usernameTokenHeader({ ...credentials, createdMs: deviceNowMs, nonce });
    return { mode: 'ws-security', securityHeader, authorization: null };
  }

  succeeded(signed: SignedCall): void {
    if (signed.mode === null) return;
    this.#mode = signed.mode;
    this.#proven = signed.mode;
  }

  /** Chooses another way after a refusal; false when all ways are tried and the fault stands. */
  refused(signed: SignedCall, outcome: Exclude<SoapOutcome, { kind: 'answer' }>, trial: AuthTrial): boolean {
    if (this.#options.credentials === null) return false;
    trial.tried.add(signed.mode ?? 'unsigned');
    if (outcome.kind === 'must-understand') {
      this.#mode = 'digest';
      return signed.mode === 'ws-security' && !trial.tried.has('digest');
    }
    if (outcome.challenges.length > 0 && this.#digest.challenged(outcome.challenges, signed.authorization)) {
      this.#mode = 'digest';
      return true;
    }
    if (signed.mode === 'ws-security' && !trial.tried.has('unsigned')) {
      // Perhaps only the token was disliked (a clock with a daylight-saving fault): unsigned, a digest device sends its challenge.
      this.#mode = 'digest';
      return true;
    }
    const wasTried = trial.tried.has('ws-security');
    this.#mode = wasTried ? (this.#proven ?? 'ws-security') : 'ws-security';
    return !wasTried;
  }
}

export const unsignedCall: SignedCall = { mode: null, securityHeader: null, authorization: null };
