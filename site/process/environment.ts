// Reads the environment of the site process, once; nothing else looks at process.env.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import { discoveryGroup } from '@vedette/protocols/ws-discovery/messages.ts';
import type { EnrolmentParameters } from '../connection/enrolment.ts';
import { findFfmpeg, type StartFfmpeg, ffmpegStarter } from '@vedette/media/codec/ffmpeg-process.ts';

export interface Environment {
  /** State folder: assignments, spool, identities. */
  readonly stateFolder: string;
  readonly defaultRecordings: string;
  readonly socketPath: string;
  /** Live video for the gateway; null on a remote site, which has none. */
  readonly feedSocketPath: string | null;
  /** Null on a remote site. */
  readonly serverSocketPath: string | null;
  /** Command line of a remote site; null for the local site. */
  readonly enrolment: EnrolmentParameters | null;
  readonly version: string;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  readonly ownPorts: ReadonlySet<number>;
  /** RTSP address; null: off. Port 0: any free one. */
  readonly rtsp: { readonly host: string; readonly port: number } | null;
  readonly logLevel: string;
  /** Keeps the second streams of online channels connected, so that a wall opens at once. */
  readonly keepsWarm: boolean;
  /** Overwrites released frame memory, to find late readers. For tests. */
  readonly poisonsMemory: boolean;
  /** Of Node's pool, as the launcher set it. */
  readonly threads: number;
  /** Starts the operator's ffmpeg; null without one on PATH. */
  readonly ffmpeg: StartFfmpeg | null;
  /** Multicast group of WS-Discovery, or a substitute for tests. */
  readonly discovery: readonly DiscoveryPlace[];
  /** Streams transcoded at a time: each takes about a seventh of a core. */
  readonly transcodes: number;
  /** Where the runtime of edge intelligence is, if it is installed. */
  readonly analystRuntime: string;
  /** Models of the operator, each in a folder of its name. */
  readonly modelFolder: string;
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const data = need(env, 'VEDETTE_DATA');
  const run = need(env, 'VEDETTE_RUN');
  const ports = (env['VEDETTE_OWN_PORTS'] ?? '').split(',').filter((text) => text !== '');
  return {
    stateFolder: join(data, 'site'),
    defaultRecordings: join(data, 'recordings'),
    socketPath: join(run, 'site.sock'),
    feedSocketPath: env['VEDETTE_FAR'] === '1' ? null : join(run, 'feed.sock'),
    serverSocketPath: env['VEDETTE_FAR'] === '1' ? null : join(run, 'server.sock'),
    enrolment: enrolmentOf(env),
    version: readVersion(),
    masterKey: readMasterKey(env['VEDETTE_KEY'], data),
    ownPorts: new Set(ports.map(Number)),
    rtsp: rtspOf(env['VEDETTE_RTSP_PORT'] ?? '', env['VEDETTE_RTSP_HOST'] ?? ''),
    logLevel: env['VEDETTE_LOG_LEVEL'] ?? 'info',
    keepsWarm: env['VEDETTE_KEEP_WARM'] === '1',
    poisonsMemory: env['VEDETTE_POISON_MEMORY'] === '1',
    threads: Number(env['UV_THREADPOOL_SIZE'] ?? '4'),
    ffmpeg: ffmpegOf(env['PATH'] ?? ''),
    discovery: placesToAsk(env),
    transcodes: Math.max(1, availableParallelism()),
    analystRuntime: env['VEDETTE_ANALYST'] || join(data, 'analyst'),
    modelFolder: join(data, 'models'),
  };
}

function enrolmentOf(env: NodeJS.ProcessEnv): EnrolmentParameters | null {
  const { VEDETTE_SERVER: server = '', VEDETTE_SITE_SERIAL: serial = '' } = env;
  if (server === '' || serial === '') return null;
  const { VEDETTE_SITE_CODE: code = '', VEDETTE_SITE_AUTHORITY: authority = '' } = env;
  return { server, serial, code, authority };
}

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : '0.0.0';
}

function ffmpegOf(searchPath: string): StartFfmpeg | null {
  const path = findFfmpeg('ffmpeg', searchPath);
  return path === null ? null : ffmpegStarter(path, searchPath);
}

/** The standard group, or what stands in for it, and the virtual cameras of the demo, which answer on this machine alone. */
function placesToAsk(env: NodeJS.ProcessEnv): DiscoveryPlace[] {
  const { VEDETTE_DISCOVERY: place = '', VEDETTE_DEMO_DISCOVERY: demo = '' } = env;
  return [place === '' ? discoveryGroup : placeOf(place), ...(demo === '' ? [] : [placeOf(demo)])];
}

/** `address:port`. */
function placeOf(text: string): DiscoveryPlace {
  const [, address = '', port = ''] = /^([\d.]+):(\d{1,5})$/.exec(text) ?? [];
  if (address === '') throw new Error(`${text} is no address with a port`);
  return { address, port: Number(port) };
}

function rtspOf(port: string, host: string): Environment['rtsp'] {
  return /^\d{1,5}$/.test(port) ? { host, port: Number(port) } : null;
}

function need(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`the environment lacks ${name}`);
  return value;
}

export function readMasterKey(given: string | undefined, data: string): Buffer {
  const text = given === undefined || given === '' ? readFileSync(join(data, 'keys', 'master'), 'utf8') : given;
  if (!/^[0-9a-f]{64}$/i.test(text.trim())) throw new Error('the master key is not 64 hexadecimal digits');
  return Buffer.from(text.trim(), 'hex');
}
