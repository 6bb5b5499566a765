// A server with two sites: beside it one that is honest, with a tenant's camera; far away one that may lie, with a camera of the operator's.
import { waitFor } from '../harness/wait-for.ts';
import { LyingSite } from '../harness/lying-site.ts';
import { candidateAt } from './candidate-at.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const OUTSIDE = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-vedette-loopback': '0' };
/** `native` of what the remote site says it found: addresses of the server's own machine. */
const INWARD = { urls: ['rtsp://127.0.0.1:5432/'], url: 'http://169.254.169.254/latest' };

export class HostileStage {
  readonly server: ServerUnderTest;
  readonly operator: CallClient;
  /** Has a camera beside the server, and nothing at the remote site. */
  readonly tenant: CallClient;
  readonly local: ScriptedSite;
  readonly far: LyingSite;
  readonly siteId: string;
  /** Of the operator's camera at the remote site, and of the tenant's beside the server. */
  farSerial = '';
  nearSerial = '';

  private constructor(given: Pick<HostileStage, 'server' | 'operator' | 'tenant' | 'local' | 'far' | 'siteId'>) {
    this.server = given.server;
    this.operator = given.operator;
    this.tenant = given.tenant;
    this.local = given.local;
    this.far = given.far;
    this.siteId = given.siteId;
  }

  /** Both cameras are online. */
  static async start(): Promise<HostileStage> {
    const server = await ServerUnderTest.start();
    const operator = await server.setUp();
    const local = await ScriptedSite.dial(server);
    await operator.ok('user/add', { username: 'tenant', password: 'Secret-1', userType: 2 });
    const tenant = await server.signIn('tenant', 'Secret-1');
    const { site, registrationCode } = await operator.ok('site/add', { siteName: 'Harbour' });
    const named = { siteId: site.serial, code: registrationCode };
    const far = new LyingSite(() => server.webSocket('/site', OUTSIDE), named);
    const stage = new HostileStage({ server, operator, tenant, local, far, siteId: site.siteId });
    await stage.#fill();
    return stage;
  }

  async #fill(): Promise<void> {
    const { far, local, operator, tenant, siteId } = this;
    far.lies.set('probe', ({ target }: { target: string }) => ({ ...candidateAt(target), native: INWARD }));
    await far.connect({ rtspPort: 1e9 });
    await waitFor('the far site', () => this.isOnline());
    const add = async (caller: CallClient, target: string, at: object) =>
      (await caller.ok('device/add', { target, deviceName: 'Camera', ...at })).device.deviceSerial;
    this.nearSerial = await add(tenant, 'rtsp://192.0.2.1/1', {});
    this.farSerial = await add(operator, 'rtsp://192.0.2.2/1', { siteId });
    const online = { kind: 'deviceStatus', status: 1, reason: null, at: Date.now() } as const;
    local.report({ ...online, deviceSerial: this.nearSerial });
    far.tell({ ...online, deviceSerial: this.farSerial });
    for (const serial of [this.nearSerial, this.farSerial])
      await waitFor('the cameras', async () => (await this.statusOf(serial)) === 1);
  }

  async isOnline(): Promise<boolean> {
    const { siteList } = await this.operator.ok('site/list', {});
    return siteList.some((one) => one.siteId === this.siteId && one.status === 'online');
  }

  /** The remote site connects anew. */
  async back(more: object = {}): Promise<void> {
    const since = this.far.heard.length;
    await this.far.connect(more);
    await waitFor('the site to be back', async () => this.far.heard.length > since && (await this.isOnline()));
  }

  /** It is honest again, and there. */
  async calm(): Promise<void> {
    this.far.refusals.clear();
    this.far.lies.clear();
    if (this.far.socket.readyState !== this.far.socket.OPEN) await this.back();
  }

  async statusOf(deviceSerial: string): Promise<number> {
    const owner = deviceSerial === this.nearSerial ? this.tenant : this.operator;
    return (await owner.ok('device/get', { deviceSerial })).device.status;
  }

  async stop(): Promise<void> {
    this.far.close();
    await this.server.stop();
  }
}

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}
