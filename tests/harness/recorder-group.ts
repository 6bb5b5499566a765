// A product with remote sites, each beyond a relay of its own, and the recorder group that they form.
import { join } from 'node:path';
import type { ApiClient } from './api-client.ts';
import { Product } from './product.ts';
import { ConnectionRelay, RemoteSiteProcess } from './remote-site-process.ts';
import { waitFor } from './wait-for.ts';

export interface GroupSite {
  readonly siteId: string;
  readonly process: RemoteSiteProcess;
  readonly relay: ConnectionRelay;
}

interface RigOptions {
  /** Built, for browsers. */
  readonly hasConsole?: boolean;
  readonly account?: readonly [name: string, password: string];
}

export class RecorderGroupRig {
  readonly product: Product;
  readonly operator: ApiClient;
  readonly sites: GroupSite[] = [];

  private constructor(product: Product, operator: ApiClient) {
    this.product = product;
    this.operator = operator;
  }

  static async start(count: number, { hasConsole = false, account }: RigOptions = {}): Promise<RecorderGroupRig> {
    // Where the console is not looked at any folder does.
    const env = { VEDETTE_CONSOLE: new URL('../../', import.meta.url).pathname };
    const product = await Product.start(hasConsole ? {} : { env });
    const rig = new RecorderGroupRig(product, await product.setUp(...(account ?? [])));
    const names = Array.from({ length: count }, (_, index) => `Site ${index + 1}`);
    rig.sites.push(...(await Promise.all(names.map((name) => rig.#addSite(name)))));
    return rig;
  }

  site(number: number): GroupSite {
    const site = this.sites[number];
    if (site === undefined) throw new Error(`there is no site ${number}`);
    return site;
  }

  async isOnline(siteId: string): Promise<boolean> {
    const { siteList } = await this.operator.ok('site/list', {});
    return siteList.find((site) => site.siteId === siteId)?.status === 'online';
  }

  /** The site beside the server included. */
  async onlineCount(): Promise<number> {
    const { siteList } = await this.operator.ok('site/list', {});
    return siteList.filter(({ status }) => status === 'online').length;
  }

  /** Where each site's device is now: its group as the operator sees it. */
  async group() {
    const { groupList } = await this.operator.ok('site/group/list', {});
    const [group] = groupList;
    if (group === undefined) throw new Error('there is no group');
    return group;
  }

  async member(number: number) {
    const { memberList } = await this.group();
    const member = memberList.find(({ siteId }) => siteId === this.site(number).siteId);
    if (member === undefined) throw new Error(`site ${number} is in no group`);
    return member;
  }

  async stop(): Promise<void> {
    await Promise.all([this.product.stop(), ...this.sites.map(({ process }) => process.stop())]);
    await Promise.all(this.sites.map(({ relay }) => relay.close()));
  }

  async #addSite(siteName: string): Promise<GroupSite> {
    const relay = await ConnectionRelay.to(Number(new URL(this.product.url).port));
    const process = await RemoteSiteProcess.create();
    const { site, registrationCode, authority } = await this.operator.ok('site/add', { siteName });
    const server = ['--server', `https://127.0.0.1:${relay.port}`, '--serial', site.serial];
    await process.start([...server, '--authority', authority, '--code', registrationCode]);
    await waitFor(siteName, () => this.isOnline(site.siteId), 30_000);
    return { siteId: site.siteId, process, relay };
  }
}

/** Where a site keeps its recordings. */
export const recordingsOf = ({ process }: GroupSite): string => join(process.data, 'recordings');
