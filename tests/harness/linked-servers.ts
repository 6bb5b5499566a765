// Two servers on one database with lines between them, each behind a gateway of its own, and sites that may dial either.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNodeCertificate } from '../../launcher/tls/node-certificate.js';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { type FarHello, ScriptedSite } from '../contract/scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from '../contract/server-under-test.ts';
import { type GatewayProcess, makeCertificate, startGateway } from './gateway-process.ts';
import { serverBeside } from './server-beside.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** A place in the network between servers, with the files of its certificate. */
export interface NodePlace {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
}

export async function newNodePlace(): Promise<NodePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-node-'));
  const port = await freePort();
  return { folder, host: '127.0.0.1', port, ...ensureNodeCertificate(folder, new Date()) };
}

/** What a server is told of its place. */
export function nodeSettings({ host, port, cert, key }: NodePlace): { readonly VEDETTE_NODE: string } {
  return { VEDETTE_NODE: JSON.stringify({ address: `${host}:${port}`, cert, key }) };
}

/** `folder`: of the certificate of its public port. */
export async function gatewayAt(
  { host, port, cert, key }: NodePlace,
  run: string,
  folder: string,
): Promise<GatewayProcess> {
  return await startGateway(folder, { run, node: { host, port, cert, key } });
}

export class LinkedServers {
  readonly servers: readonly [ServerUnderTest, ServerUnderTest];
  readonly gateways: GatewayProcess[];
  readonly places: readonly [NodePlace, NodePlace];
  /** Signed in at each of them. */
  readonly operators: readonly [CallClient, CallClient];
  readonly connection: DatabaseConnection;

  private constructor(given: Pick<LinkedServers, 'servers' | 'gateways' | 'places' | 'operators'>) {
    this.servers = given.servers;
    this.gateways = given.gateways;
    this.places = given.places;
    this.operators = given.operators;
    this.connection = openDatabase({ url: given.servers[0].database.url, onError: () => undefined });
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<LinkedServers> {
    const places = [await newNodePlace(), await newNodePlace()] as const;
    const first = await ServerUnderTest.start({ ...env, ...nodeSettings(places[0]) });
    const operator = await first.setUp();
    const second = await serverBeside(first, { ...env, ...nodeSettings(places[1]) });
    const servers = [first, second] as const;
    // One address that moves is that of one certificate.
    const { folder } = places[0];
    await makeCertificate(folder, ['127.0.0.1']);
    const gateways = await Promise.all(
      servers.map(async ({ database }, at) => await gatewayAt(places[at === 0 ? 0 : 1], database.folder, folder)),
    );
    const operators = [operator, await second.signIn(OPERATOR.username, OPERATOR.password)] as const;
    const linked = new LinkedServers({ servers, gateways, places, operators });
    await linked.areLinked();
    return linked;
  }

  /** Each has its line to the other one. */
  async areLinked(since: readonly [number, number] = [0, 0]): Promise<void> {
    await waitFor('the lines between the servers', () =>
      this.servers.every(({ log }, at) =>
        log.slice(since[at === 0 ? 0 : 1]).some((line) => line.includes('another server is connected')),
      ),
    );
  }

  /** After a kill. */
  async restartGateway(at: 0 | 1): Promise<void> {
    const [{ folder }] = this.places;
    this.gateways[at] = await gatewayAt(this.places[at], this.servers[at].database.folder, folder);
  }

  /** Since that line of its log. */
  hasLogged(at: 0 | 1, text: string, since = 0): boolean {
    return this.servers[at].log.slice(since).some((line) => line.includes(text));
  }

  /** A new remote site, which has not dialled yet. */
  async addSite(siteName: string): Promise<FarHello & { readonly id: string }> {
    const { site, registrationCode } = await this.operators[0].ok('site/add', { siteName });
    return { id: site.siteId, siteId: site.serial, code: registrationCode };
  }

  async dial(at: 0 | 1, { siteId, code }: FarHello, earlier?: ScriptedSite): Promise<ScriptedSite> {
    return await ScriptedSite.dialFar(this.servers[at], { siteId, code }, earlier);
  }

  /** As each of the servers answers it. */
  async statusOf(at: 0 | 1, id: string): Promise<string | undefined> {
    const { siteList } = await this.operators[at].ok('site/list', {});
    return siteList.find(({ siteId }) => siteId === id)?.status;
  }

  async stop(): Promise<void> {
    await this.connection.database.destroy();
    for (const server of this.servers.toReversed()) await server.stop();
    for (const gateway of this.gateways) await gateway.stop();
    for (const { folder } of this.places) rmSync(folder, { recursive: true, force: true });
  }
}
