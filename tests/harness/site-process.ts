// The site as a process, with the test as its server: for kills of the site and for its calls.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type {
  SiteCallName,
  SiteCalls,
  SiteEvent,
  SiteSettings,
  SiteToServer,
  TicketGrant,
} from '@vedette/contract/site/site.ts';
import { siteAnswers } from '@vedette/contract/site/site-answers.ts';
import { readSiteEvent } from '@vedette/contract/site/site-messages.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import { siteFlags, siteThreads } from '../../launcher/installation/site-runtime.js';
import { type GatewayProcess, makeCertificate, startGateway } from './gateway-process.ts';
import { waitFor } from './wait-for.ts';

const SCRIPT = new URL('../../site/main-site.ts', import.meta.url).pathname;

export interface Answer<T> {
  readonly code: number;
  readonly data: T;
}

export class SiteProcess {
  readonly folder: string;
  readonly data: string;
  readonly #run: string;
  readonly #masterKey: Buffer;
  readonly #env: Readonly<Record<string, string>>;
  readonly events: SiteEvent[] = [];
  readonly log: string[] = [];
  /** Acknowledge events as a server does; switched off to see them kept. */
  acknowledges = true;
  /** Of native clients, where the environment asks for one. */
  rtspPort: number | null = null;
  #child: ChildProcess | null = null;
  #gateway: Promise<GatewayProcess> | null = null;
  #server: Server | null = null;
  #sockets: WebSocketServer | null = null;
  #socket: WebSocket | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, (answer: Answer<never>) => void>();

  private constructor(folder: string, masterKey: Buffer, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.data = join(folder, 'data');
    this.#run = join(folder, 'run');
    this.#masterKey = masterKey;
    this.#env = env;
  }

  /** Folders and key; nothing runs yet. */
  static async create(env: Readonly<Record<string, string>> = {}): Promise<SiteProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'site-'));
    const masterKey = randomBytes(32);
    const made = new SiteProcess(folder, masterKey, env);
    await mkdir(join(made.data, 'keys'), { recursive: true });
    await mkdir(made.#run);
    await writeFile(join(made.data, 'keys', 'master'), masterKey.toString('hex'), { mode: 0o600 });
    return made;
  }

  get socketPath(): string {
    return join(this.#run, 'site.sock');
  }

  /** Where viewers come in, plain. */
  async viewersUrl(): Promise<string> {
    return `ws://127.0.0.1:${(await this.gateway()).port}`;
  }

  /** A gateway of the site's own, started when it is first asked for. It believes `x-forwarded-for` of this machine. */
  gateway(): Promise<GatewayProcess> {
    this.#gateway ??= makeCertificate(this.folder, ['localhost']).then(() =>
      startGateway(this.folder, { run: this.#run, http: true, trustedProxies: ['127.0.0.1'] }),
    );
    return this.#gateway;
  }

  get recordings(): string {
    return join(this.data, 'recordings');
  }

  get settings(): SiteSettings {
    return { storage: { folder: this.recordings, budgetBytes: 1e12, reserveBytes: 0 }, cameraNetworks: [] };
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when the site has said that it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...siteFlags, SCRIPT], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        VEDETTE_DATA: this.data,
        VEDETTE_RUN: this.#run,
        UV_THREADPOOL_SIZE: siteThreads,
        VEDETTE_POISON_MEMORY: process.env['VEDETTE_POISON_MEMORY'],
        ...this.#env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    const exited = once(child, 'exit').then(() => {
      throw new Error(`the site ended before it was ready:\n${this.log.slice(-20).join('\n')}`);
    });
    const ready = once(createInterface({ input: child.stdout }), 'line');
    const [line] = (await Promise.race([ready, exited])) as [string];
    this.rtspPort = (JSON.parse(line) as { rtspPort: number | null }).rtspPort;
    exited.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Listens as the server does. */
  async serve(): Promise<void> {
    this.#server = createServer();
    this.#sockets = new WebSocketServer({ server: this.#server, path: '/site' });
    this.#sockets.on('connection', (socket) => {
      socket.on('message', (raw) => this.#received(socket, JSON.parse(String(raw)) as SiteToServer));
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
    });
    this.#server.listen(join(this.#run, 'server.sock'));
    await once(this.#server, 'listening');
  }

  /** The server dies. */
  async stopServing(): Promise<void> {
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
    this.#sockets?.close();
    const closed = this.#server ? once(this.#server, 'close') : null;
    this.#server?.close();
    await closed;
    await rm(join(this.#run, 'server.sock'), { force: true });
  }

  async call<N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<Answer<SiteCalls[N]['output']>> {
    const socket = await waitFor('the site to connect', () => this.#socket ?? undefined, 20_000);
    const id = this.#nextId;
    this.#nextId += 1;
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      socket.send(JSON.stringify({ type: 'call', id, name, input }));
    });
  }

  /** Throws unless the code is 200 and the answer is one that the server would read. */
  async ok<N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> {
    const { code, data } = await this.call(name, input);
    if (code !== 200) throw new Error(`${name} answered ${code} ${JSON.stringify(data)}`);
    siteAnswers[name].parse(data);
    return data;
  }

  /** Registers a ticket and answers its text. */
  async ticket(
    grant: Partial<TicketGrant> & Pick<TicketGrant, 'kind' | 'deviceSerial' | 'channelNo'>,
  ): Promise<string> {
    const ticket = randomBytes(24).toString('base64url');
    const whole: TicketGrant = {
      ticketId: randomBytes(8).toString('hex'),
      ticketHash: createHash('sha256').update(ticket).digest('hex'),
      userId: 'user',
      sessionId: 'session',
      quality: 0,
      range: null,
      firstUseBefore: Date.now() + 60_000,
      until: null,
      probeId: null,
      ...grant,
    };
    await this.ok('ticket', { grants: [whole] });
    return ticket;
  }

  async stop(): Promise<void> {
    await (await this.#gateway)?.stop();
    await this.kill('SIGTERM');
    await this.stopServing();
    await rm(this.folder, { recursive: true, force: true });
  }

  #received(socket: WebSocket, message: SiteToServer): void {
    if (message.type === 'hello') {
      const text = `vedette-site/${message.protocol}/${message.siteId}`;
      const expected = createHmac('sha256', this.#masterKey).update(text).digest('hex');
      if (message.secret === expected) this.#socket = socket;
      else socket.close(4401);
    } else if (message.type === 'event') {
      if (readSiteEvent(message.event) === null) throw new Error(`no event: ${JSON.stringify(message.event)}`);
      this.events.push(message.event);
      if (this.acknowledges) socket.send(JSON.stringify({ type: 'ack', seq: message.seq }));
    } else if (message.type === 'answer') {
      this.#waiting.get(message.id)?.({ code: message.code, data: message.data as never });
      this.#waiting.delete(message.id);
    }
  }
}
