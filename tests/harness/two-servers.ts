// Two server processes on one database, a rule that sends each alarm to a receiver, and what the leases and deliveries look like.
import { sql } from 'kysely';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import type { WorkLeaseRow } from '../../server/database/schema/work-lease-schema.ts';
import { ScriptedSite } from '../contract/scripted-site.ts';
import { type CallClient, ServerUnderTest } from '../contract/server-under-test.ts';
import { HttpSink } from '../peers/message-sink.ts';
import { serverBeside } from './server-beside.ts';
import { waitFor } from './wait-for.ts';

const RULES = 'alarm rules';

/** Who took which lease is told at this level. */
const LOG_LEASES = { VEDETTE_LOG_LEVEL: 'debug' };

export class TwoServers {
  readonly servers: readonly [ServerUnderTest, ServerUnderTest];
  /** Told of each alarm. */
  readonly sink: HttpSink;
  readonly connection: DatabaseConnection;
  /** Alarms so far, each of its own. */
  raised = 0;
  readonly #camera: string;
  readonly #token: string;

  private constructor(
    servers: readonly [ServerUnderTest, ServerUnderTest],
    sink: HttpSink,
    { camera, token }: { readonly camera: string; readonly token: string },
  ) {
    this.servers = servers;
    this.sink = sink;
    this.#camera = camera;
    this.#token = token;
    this.connection = openDatabase({ url: servers[0].database.url, onError: () => undefined });
  }

  static async start(): Promise<TwoServers> {
    const first = await ServerUnderTest.start(LOG_LEASES);
    const sink = await new HttpSink().start();
    const operator = await first.setUp();
    const site = await ScriptedSite.dial(first);
    const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' };
    const camera = (await operator.ok('device/add', order)).device.deviceSerial;
    await site.hangUp();
    await sendAllTo(operator, `${sink.url}/hook`);
    const { token } = await operator.ok('event/key/add', { name: 'Analyser' });
    return new TwoServers([first, await serverBeside(first, LOG_LEASES)], sink, { camera, token });
  }

  async stop(): Promise<void> {
    await this.connection.database.destroy();
    for (const server of this.servers.toReversed()) await server.stop();
    await this.sink.stop();
  }

  /** As programs do: a busy server is told again, and counts an event once. */
  async raise(server: ServerUnderTest, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      this.raised += 1;
      const key = `face ${this.raised}`;
      const event = { deviceSerial: this.#camera, channelNo: 1, type: 'FaceDetect', key, eventId: key } as const;
      await waitFor('the event to be taken', async () => {
        const { code } = await server.client(this.#token).call('event/ingest', { ...event, phase: 'pulse' });
        if (code !== 200) throw new Error(`event/ingest answered ${code}`);
        return true;
      });
    }
  }

  /** All deliveries of all alarms so far have ended, each in one attempt. */
  async allDelivered(timeoutMs: number): Promise<void> {
    await waitFor(
      `${this.raised} deliveries`,
      async () => {
        const { rows } = await sql<{ state: string; attempts: number; count: number }>`
          select state, attempts, count(*) as count from alarm_delivery group by 1, 2`.execute(
          this.connection.database,
        );
        if (rows.length === 1 && rows[0]?.state === 'done' && rows[0].count === this.raised) return true;
        throw new Error(JSON.stringify({ raised: this.raised, rows }));
      },
      timeoutMs,
    );
  }

  /** Of the alarms, how many the receiver was told of not at all, and how many more than once. */
  get delivered(): { readonly missing: number; readonly twice: number } {
    const told = this.sink.requests.map(
      ({ body }) => JSON.parse(body.toString('utf8')) as { data: { alarmId: string } },
    );
    const alarms = new Set(told.map(({ data }) => data.alarmId));
    return { missing: this.raised - alarms.size, twice: told.length - alarms.size };
  }

  async leases(): Promise<readonly WorkLeaseRow[]> {
    return await this.connection.database.selectFrom('work_lease').selectAll().orderBy('name').execute();
  }

  /** Which of them runs the rules now, by what they logged, and the other one. */
  get roles(): { readonly holding: ServerUnderTest; readonly other: ServerUnderTest } {
    const [first, second] = this.servers;
    const [ofFirst, ofSecond] = [lastEpoch(first), lastEpoch(second)];
    return ofFirst > ofSecond ? { holding: first, other: second } : { holding: second, other: first };
  }

  /** Milliseconds until `server` does all that was held by another one `before`. */
  async takenOverBy(server: ServerUnderTest, before: readonly WorkLeaseRow[], withinMs: number): Promise<number> {
    const from = performance.now();
    await waitFor(
      'all works to be taken over',
      async () => {
        const now = await this.leases();
        return now.every(({ epoch }, index) => epoch > (before[index]?.epoch ?? 0)) && this.roles.holding === server;
      },
      withinMs,
    );
    return Math.round(performance.now() - from);
  }
}

async function sendAllTo(operator: CallClient, url: string): Promise<void> {
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
  const settings = { url, secret: 'whsec_c2VjcmV0' };
  const saved = await operator.ok('alarm/channel/save', { kind: 'webhook', name: 'Hook', isEnabled: true, settings });
  await operator.ok('alarm/rule/save', {
    name: 'Every face',
    isEnabled: true,
    types: ['FaceDetect'],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'notify', channelIds: [saved.channel.channelId] }],
  });
}

function lastEpoch({ log }: ServerUnderTest): number {
  const taken = log
    .filter((line) => line.includes('took the lease of a work'))
    .map((line) => JSON.parse(line) as { lease: string; epoch: number })
    .filter(({ lease }) => lease === RULES);
  return taken.at(-1)?.epoch ?? 0;
}
