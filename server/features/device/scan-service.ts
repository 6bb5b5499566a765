// Scan service: one network scan per account, readable by that account alone.
import { CallError } from '../../core/call-error.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';

export interface ScanRequest {
  readonly network: string | null;
  readonly ports: readonly number[] | null;
  readonly isOperator: boolean;
}

export interface Scan {
  readonly siteId: string;
  readonly site: SitePort;
  readonly scanId: string;
}

export class ScanService {
  readonly #sites: SitesPort;
  /** By account. */
  readonly #scans = new Map<string, Scan>();

  constructor(options: { site: SitesPort }) {
    this.#sites = options.site;
  }

  /** Ends the account's previous scan, which a closed page may have left. */
  async begin(accountId: string, siteId: string, wanted: ScanRequest): Promise<Scan> {
    const before = this.#scans.get(accountId);
    this.#scans.delete(accountId);
    if (before !== undefined) await this.#endAt(before);
    const site = this.#sites.at(siteId);
    const scan = { siteId, site, scanId: (await site.call('scanStart', wanted)).scanId };
    this.#scans.set(accountId, scan);
    return scan;
  }

  /** Throws 1007 for another account's scan. */
  find(accountId: string, scanId: string): Scan {
    const scan = this.#scans.get(accountId);
    if (scan?.scanId !== scanId) throw new CallError('notFound');
    return scan;
  }

  async end(accountId: string, scanId: string): Promise<void> {
    const { site } = this.find(accountId, scanId);
    await site.call('scanEnd', { scanId });
  }

  /** A disconnected site ends it by itself. */
  async #endAt({ site, scanId }: Scan): Promise<void> {
    if (site.isOnline()) await site.call('scanEnd', { scanId });
  }
}
