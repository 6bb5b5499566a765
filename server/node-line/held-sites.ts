// Which sites the other servers have, by what they say: of two that name one site, the newer line counts.
import type { SiteHere } from './node-messages.ts';

export interface HeldSite extends SiteHere {
  readonly nodeId: string;
}

/** `site`: the newest line after the change; null: no other server has it. */
type OnChange = (siteId: string, site: HeldSite | null) => void;

export class HeldSites {
  readonly #byNode = new Map<string, Map<string, SiteHere>>();
  readonly #onChange: OnChange;

  constructor(onChange: OnChange) {
    this.#onChange = onChange;
  }

  /** The newest line. */
  of(siteId: string): HeldSite | null {
    let newest: HeldSite | null = null;
    for (const [nodeId, sites] of this.#byNode) {
      const site = sites.get(siteId);
      if (site !== undefined && site.epoch > (newest?.epoch ?? -1)) newest = { ...site, nodeId };
    }
    return newest;
  }

  siteIds(): readonly string[] {
    return [...new Set([...this.#byNode.values()].flatMap((sites) => [...sites.keys()]))];
  }

  /** All that a server has. */
  replace(nodeId: string, sites: readonly SiteHere[]): void {
    const before = this.#byNode.get(nodeId) ?? new Map<string, SiteHere>();
    const now = new Map(sites.map((site) => [site.siteId, site]));
    this.#byNode.set(nodeId, now);
    for (const siteId of new Set([...before.keys(), ...now.keys()])) this.#tell(siteId);
  }

  set(nodeId: string, site: SiteHere): void {
    const sites = this.#byNode.get(nodeId) ?? new Map<string, SiteHere>();
    this.#byNode.set(nodeId, sites.set(site.siteId, site));
    this.#tell(site.siteId);
  }

  remove(nodeId: string, siteId: string): void {
    if (this.#byNode.get(nodeId)?.delete(siteId) === true) this.#tell(siteId);
  }

  /** The server is not reached any more. */
  drop(nodeId: string): void {
    const sites = this.#byNode.get(nodeId);
    this.#byNode.delete(nodeId);
    for (const siteId of sites?.keys() ?? []) this.#tell(siteId);
  }

  #tell(siteId: string): void {
    this.#onChange(siteId, this.of(siteId));
  }
}
