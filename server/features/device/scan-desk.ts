// Whose search of the network is which: one at a time per account, and nobody reads another's.
import { CallError } from '../../call-error.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface WantedScan {
  readonly network: string | null;
  readonly ports: readonly number[] | null;
  readonly isOperator: boolean;
}

export class ScanDesk {
  readonly #site: SitePort;
  /** By account. */
  readonly #scans = new Map<string, string>();

  constructor(options: { site: SitePort }) {
    this.#site = options.site;
  }

  /** Ends the account's search before: a page that was closed leaves none behind. */
  async begin(accountId: string, wanted: WantedScan): Promise<string> {
    const before = this.#scans.get(accountId);
    if (before !== undefined) await this.#site.call('scanEnd', { scanId: before });
    const { scanId } = await this.#site.call('scanStart', wanted);
    this.#scans.set(accountId, scanId);
    return scanId;
  }

  /** Throws 1007 for a search that is not the account's. */
  check(accountId: string, scanId: string): string {
    if (this.#scans.get(accountId) !== scanId) throw new CallError('notFound');
    return scanId;
  }

  async end(accountId: string, scanId: string): Promise<void> {
    await this.#site.call('scanEnd', { scanId: this.check(accountId, scanId) });
  }
}
