// Authenticates remote sites: by the hash of their credential, new ones by a registration code, once and with few attempts.
import { createHash } from 'node:crypto';
import { type AddressKind, classifyAddress } from '@vedette/foundation/network/address-kind.ts';
import { SITE_CODE_LIMITS } from '@vedette/contract/remote-site.ts';
import type { SiteHello } from '@vedette/contract/site/site-messages.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { findSiteBySerial, redeemSiteCode, storeSiteSeen } from '../database/device/site.queries.ts';
import type { SiteRow } from '../database/schema/schema.ts';

export interface RemoteSiteAuthenticatorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

const UNREACHABLE_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['loopback', 'link-local', 'unusable']);
/** 256 random bits, base64url. */
const CREDENTIAL_FORM = /^[\w-]{43}$/;

export class RemoteSiteAuthenticator {
  readonly #deps: RemoteSiteAuthenticatorDeps;

  constructor(deps: RemoteSiteAuthenticatorDeps) {
    this.#deps = deps;
  }

  /** The site's id, or null if refused: unknown serials and wrong credentials answer alike. */
  async authenticate(hello: SiteHello, address: string): Promise<string | null> {
    const { database, clock } = this.#deps;
    const { secret } = hello;
    if (!CREDENTIAL_FORM.test(secret)) return null;
    const site = await findSiteBySerial(database, hello.siteId.toUpperCase());
    if (site === undefined) return null;
    const credentialHash = hashOf(secret);
    if (site.credential_hash !== credentialHash && !(await this.#enrol(site, hello.code, credentialHash))) return null;
    await storeSiteSeen(database, site.site_id, {
      at: clock.wallMs(),
      version: hello.version ?? '',
      publicAddress: address,
      addresses: (hello.addresses ?? []).filter(isReachable),
    });
    return site.site_id;
  }

  async #enrol(site: SiteRow, code: unknown, credentialHash: string): Promise<boolean> {
    if (typeof code !== 'string') return false;
    const { database, clock, log } = this.#deps;
    const given = { codeHash: codeHashOf(code), credentialHash, now: clock.wallMs(), tries: SITE_CODE_LIMITS.tries };
    const isEnrolled = await redeemSiteCode(database, site.site_id, given);
    if (isEnrolled) log.info({ siteId: site.site_id }, 'a site was enrolled');
    else log.warn({ siteId: site.site_id }, 'a wrong registration code was given');
    return isEnrolled;
  }
}

/** Typed with or without dashes, in any case. */
export function codeHashOf(code: string): string {
  return hashOf(code.replace(/[^A-Za-z0-9]/g, '').toUpperCase());
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Excludes addresses that never identify a site: loopback, link-local, multicast. */
function isReachable(address: string): boolean {
  const classified = classifyAddress(address);
  return classified !== null && !UNREACHABLE_KINDS.has(classified.kind);
}
