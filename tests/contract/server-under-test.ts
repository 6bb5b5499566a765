// The real server process over a real database, called through its unix socket; a site may dial it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CallInput, CallOutput, CallPath, Envelope } from '@vedette/contract/calls/calls.ts';
import { WebSocket } from 'ws';
import { serverThreads } from '../../launcher/installation/server-runtime.js';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

const SCRIPT = new URL('../../server/main-server.ts', import.meta.url).pathname;
export const OPERATOR = { username: 'operator', password: 'Watch-2026' } as const;

const SECRET_NAMES = /^(?:secret|ticket|linkId|.*[pP]assword|.*[tT]oken|.*Secret|registrationCode)$/;

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `D`: a database of its own may be stopped, frozen and read. */
export class ServerUnderTest<D extends TestDatabase = TestDatabase> {
  readonly database: D;
  readonly masterKey: string;
  readonly dataFolder: string;
  readonly log: string[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #secrets = new Set<string>();
  #child: ChildProcess | null = null;
  setupSecret: string | null = null;

  private constructor(database: D, env: Readonly<Record<string, string>>) {
    this.database = database;
    this.dataFolder = join(database.folder, 'data');
    mkdirSync(this.dataFolder, { recursive: true });
    this.masterKey = env['VEDETTE_KEY'] ?? randomBytes(32).toString('hex');
    this.#env = env;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ServerUnderTest> {
    return await ServerUnderTest.over(await openTestDatabase(), env);
  }

  /** `stop` removes the database too. */
  static async over<D extends TestDatabase>(
    database: D,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ServerUnderTest<D>> {
    const server = new ServerUnderTest(database, env);
    await server.run();
    return server;
  }

  get processId(): number {
    return this.#child?.pid ?? 0;
  }

  get socketPath(): string {
    return join(this.database.folder, 'server.sock');
  }

  async run(): Promise<void> {
    const child = spawn(process.execPath, [SCRIPT], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        UV_THREADPOOL_SIZE: serverThreads,
        VEDETTE_DATA: this.dataFolder,
        VEDETTE_RUN: this.database.folder,
        DATABASE_URL: this.database.url,
        VEDETTE_KEY: this.masterKey,
        VEDETTE_CHECK_ANSWERS: '1',
        VEDETTE_LOG_LEVEL: 'info',
        VEDETTE_PUBLIC_PORT: '8443',
        // A guard taken out by `npm run mutate:guards`.
        NODE_OPTIONS: process.env['VEDETTE_MUTANT_OPTIONS'] ?? '',
        VEDETTE_MUTANT: process.env['VEDETTE_MUTANT'] ?? '',
        ...this.#env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the server ended before it was ready:\n${this.log.join('\n')}`);
    });
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
    ended.catch(() => undefined);
    const said = JSON.parse(line) as { event: string; setupSecret: string | null };
    if (said.event !== 'ready') throw new Error(`the server does not start: ${line}`);
    this.setupSecret = said.setupSecret;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await exited)[0];
  }

  /** Whatever a file of tests did: no secret that was sent or answered stands in the log (SE-98). */
  async stop(): Promise<void> {
    await this.end();
    await this.database.stop();
    const log = this.log.join('\n');
    const leaked = [...this.#secrets].filter((secret) => log.includes(secret));
    if (leaked.length > 0) throw new Error(`the log holds ${leaked.length} secrets, such as ${leaked[0]}`);
  }

  /** Of a body that was sent or answered. */
  noteSecrets(body: unknown): void {
    JSON.stringify(body, (name, value: unknown) => {
      if (SECRET_NAMES.test(name) && typeof value === 'string' && value.length >= 8) this.#secrets.add(value);
      return value;
    });
  }

  /** As the gateway hands requests on: from outside, over plain loopback. */
  send({ method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const usual = { host: 'localhost:8443', 'x-forwarded-for': '192.0.2.7', 'x-vedette-loopback': '1' };
      const sent = request(
        { socketPath: this.socketPath, method, path, headers: { ...usual, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
          });
          answer.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  client(accessToken: string | null = null): CallClient {
    return new CallClient(this, accessToken);
  }

  /** Uses the set-up secret; the client is the operator's. */
  async setUp(): Promise<CallClient> {
    const input = { secret: this.setupSecret ?? '', ...OPERATOR };
    return this.client((await this.client().ok('account/setup', input)).accessToken);
  }

  async signIn(account: string, password: string): Promise<CallClient> {
    const input = { account, password, browserId: `browser of ${account}`, clientType: 'web' } as const;
    return this.client((await this.client().ok('account/login', input)).accessToken);
  }

  webSocket(path: string, headers: Readonly<Record<string, string>> = {}): WebSocket {
    return new WebSocket(`ws+unix://${this.socketPath}:${path}`, { headers });
  }
}

export class CallClient {
  readonly #server: ServerUnderTest;
  readonly accessToken: string | null;

  constructor(server: ServerUnderTest, accessToken: string | null) {
    this.#server = server;
    this.accessToken = accessToken;
  }

  async call<P extends CallPath>(path: P, input: CallInput<P>): Promise<Envelope<CallOutput<P>>> {
    return (await this.raw(path, input)) as Envelope<CallOutput<P>>;
  }

  async ok<P extends CallPath>(path: P, input: CallInput<P>): Promise<CallOutput<P>> {
    const answer = await this.call(path, input);
    if (answer.code !== 200) throw new Error(`${path} answered ${answer.code} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }

  async raw(path: string, input: unknown): Promise<Envelope> {
    const authorization = this.accessToken === null ? {} : { authorization: `Bearer ${this.accessToken}` };
    const answer = await this.#server.send({
      method: 'POST',
      path: `/api/v1/${path}`,
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(input),
    });
    if (answer.status !== 200) throw new Error(`${path} answered HTTP ${answer.status}: ${answer.body}`);
    const envelope = JSON.parse(answer.body) as Envelope;
    for (const body of [input, envelope.data]) this.#server.noteSecrets(body);
    return envelope;
  }
}
