// The drills site-server-killed and site-server-frozen: how long a remote site cannot be called when its server is gone.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LinkedServers } from '../harness/linked-servers.ts';
import { ConnectionRelay, RemoteSiteProcess } from '../harness/remote-site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

export type Loss = 'SIGKILL' | 'SIGSTOP';

/** A busy machine, beside the 15 s at most that the site waits between two attempts. */
const BACK_WITHIN_MS = 60_000;
const CALL_EVERY_MS = 50;
/** Of addresses that are no machine's (RFC 5737): the search itself finds nothing. */
const SEARCH = { scope: '192.0.2.0/30', ports: [9], waitMs: 0 };

interface SiteBehind {
  readonly site: RemoteSiteProcess;
  readonly relay: ConnectionRelay;
  readonly siteId: string;
}

/** A real remote site behind an address that moves at once to the server that is left. */
export class SiteServerDrill {
  readonly #linked: LinkedServers;
  readonly #site: RemoteSiteProcess;
  readonly #relay: ConnectionRelay;
  readonly #siteId: string;

  private constructor(linked: LinkedServers, { site, relay, siteId }: SiteBehind) {
    this.#linked = linked;
    this.#site = site;
    this.#relay = relay;
    this.#siteId = siteId;
  }

  static async start(): Promise<SiteServerDrill> {
    const linked = await LinkedServers.start();
    const { id, siteId, code } = await linked.addSite('Harbour');
    const relay = await ConnectionRelay.to(linked.gateways[0]?.port ?? 0);
    const site = await RemoteSiteProcess.create();
    const authority = new X509Certificate(readFileSync(join(linked.places[0].folder, 'ca.pem'))).fingerprint256;
    const named = ['--server', `https://127.0.0.1:${relay.port}`, '--serial', siteId, '--code', code];
    await site.start([...named, '--authority', authority]);
    const drill = new SiteServerDrill(linked, { site, relay, siteId: id });
    for (const at of [0, 1] as const) await waitFor('the site', async () => await drill.#answers(at), BACK_WITHIN_MS);
    return drill;
  }

  /** Milliseconds from the loss of the site's server until it answers a call at the other one; the servers change roles. */
  async lose(at: 0 | 1, loss: Loss): Promise<number> {
    const other = at === 0 ? 1 : 0;
    const server = this.#linked.servers[at];
    const since = [this.#linked.servers[0].log.length, this.#linked.servers[1].log.length] as const;
    const from = performance.now();
    const dead = loss === 'SIGKILL' ? server.end(loss) : process.kill(server.processId, loss);
    this.#relay.moveTo(this.#linked.gateways[other]?.port ?? 0);
    await waitFor('the site at the other server', async () => await this.#answers(other), BACK_WITHIN_MS);
    const ms = Math.round(performance.now() - from);
    await dead;
    if (loss === 'SIGKILL') await server.run();
    else process.kill(server.processId, 'SIGCONT');
    await this.#linked.areLinked(since);
    await waitFor('the site at the first one', async () => await this.#answers(at), BACK_WITHIN_MS);
    return ms;
  }

  async stop(): Promise<void> {
    await this.#site.stop();
    await this.#relay.close();
    await this.#linked.stop();
  }

  /** Of a server that is lost nothing comes but errors. */
  async #answers(at: 0 | 1): Promise<boolean> {
    const { code } = await this.#linked.operators[at].call('device/discover', { ...SEARCH, siteId: this.#siteId });
    if (code !== 200) await once(AbortSignal.timeout(CALL_EVERY_MS), 'abort');
    return code === 200;
  }
}
