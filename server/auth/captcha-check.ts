// Captcha: own proof of work or an external provider (VA-07, SE-05).
import { createHash } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { spendProof } from '../database/account/verification-code.queries.ts';
import { INSTALLATION, type OutboundClient } from '../outbound/outbound-client.ts';
import { newNumber } from '@vedette/foundation/random/secrets.ts';
import type { AccountSettings } from '../settings/account-settings.ts';

const LIFE_MS = 10 * 60_000;
/** About a third of a second on an ordinary computer; we check it with two hashes. */
const COST = 1000;
const COUNTER = { least: 150, most: 450 } as const;

const Proof = z.object({
  challenge: z.object({ parameters: z.looseObject({ algorithm: z.string() }), signature: z.string() }),
  solution: z.looseObject({ counter: z.number(), derivedKey: z.string() }),
});

export interface CaptchaCheckDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: AccountSettings;
  readonly outbound: OutboundClient;
  /** Key that signs the challenges. */
  readonly key: Buffer;
}

export class CaptchaCheck {
  readonly #deps: CaptchaCheckDeps;

  constructor(deps: CaptchaCheckDeps) {
    this.#deps = deps;
  }

  /** Null if an external provider or none is configured. */
  async challenge(): Promise<{ parameters: Record<string, unknown>; signature: string } | null> {
    const { config } = await this.#deps.settings.read();
    if (config.captcha.kind !== 'own') return null;
    const { parameters, signature = '' } = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: COST,
      counter: newNumber(COUNTER.least, COUNTER.most),
      deriveKey,
      expiresAt: new Date(this.#deps.clock.wallMs() + LIFE_MS),
      ...this.#secrets(),
    });
    return { parameters: { ...parameters }, signature };
  }

  async isRequired(): Promise<boolean> {
    return (await this.#deps.settings.read()).config.captcha.kind !== 'none';
  }

  /** Throws 1013 if absent, 1014 if wrong, expired or used before. */
  async verify(given: string | undefined): Promise<void> {
    const { config, secrets } = await this.#deps.settings.read();
    if (config.captcha.kind === 'none') return;
    if (given === undefined || given === '') throw new CallError('captchaRequired');
    const isGood =
      config.captcha.kind === 'own'
        ? await this.#isProofValid(given)
        : await this.#isExternalValid(config.captcha.verifyUrl, secrets.captchaSecret ?? '', given);
    if (!isGood) throw new CallError('captchaFailed');
  }

  async #isProofValid(given: string): Promise<boolean> {
    const proof = Proof.safeParse(decoded(given));
    if (!proof.success) return false;
    const { challenge, solution } = proof.data as unknown as Pick<
      Parameters<typeof verifySolution>[0],
      'challenge' | 'solution'
    >;
    const result = await verifySolution({ challenge, solution, deriveKey, ...this.#secrets() }).catch(() => null);
    if (result?.verified !== true) return false;
    const proofHash = createHash('sha256')
      .update(challenge.signature ?? '')
      .digest();
    return await spendProof(this.#deps.database, proofHash, this.#deps.clock.wallMs() + LIFE_MS);
  }

  /** Answer of hCaptcha, Turnstile and reCAPTCHA: `{success: true}`. */
  async #isExternalValid(url: string, secret: string, given: string): Promise<boolean> {
    const answer = await this.#deps.outbound.http(
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret, response: given }).toString(),
      },
      INSTALLATION,
    );
    const parsed: unknown = answer.status === 200 ? JSON.parse(answer.text) : null;
    return typeof parsed === 'object' && parsed !== null && 'success' in parsed && parsed.success === true;
  }

  #secrets() {
    const secret = (use: string) => createHash('sha256').update(this.#deps.key).update(use).digest('hex');
    return { hmacSignatureSecret: secret('puzzle'), hmacKeySignatureSecret: secret('answer') };
  }
}

function decoded(given: string): unknown {
  try {
    return JSON.parse(Buffer.from(given, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}
