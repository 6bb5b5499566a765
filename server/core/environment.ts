// Reads the environment variables of the server process, once; nothing else reads process.env.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_LIST_FILE } from '@vedette/contract/node-list.ts';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';

export interface Environment {
  readonly dataFolder: string;
  readonly socketPath: string;
  readonly databaseUrl: string;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  /** The ready line of the virtual devices, or null without a demo. */
  readonly demoFile: string | null;
  /** Of recordings that the demo begins with, ms. */
  readonly demoHistoryMs: number;
  readonly publicPort: number;
  /** Ports of this installation, which nobody may have us dial. */
  readonly ownPorts: ReadonlySet<number>;
  readonly consoleFolder: string | null;
  /** Where the operator had backups put at the start; null: pages choose. */
  readonly backupPlace: string | null;
  /** The line to other servers of the database; null: there is none. */
  readonly node: NodeSettings | null;
  /** Where the gateway reads who the others are. */
  readonly nodeListPath: string;
  readonly logLevel: string;
  /** Validate answers against the contract: in tests and development. */
  readonly checksAnswers: boolean;
  readonly version: string;
  readonly commit: string;
}

export interface NodeSettings {
  /** host:port, where the gateway takes lines of other servers. */
  readonly address: string;
  /** Files, PEM. */
  readonly cert: string;
  readonly key: string;
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const dataFolder = need(env, 'VEDETTE_DATA');
  return {
    dataFolder,
    socketPath: join(need(env, 'VEDETTE_RUN'), 'server.sock'),
    databaseUrl: need(env, 'DATABASE_URL'),
    masterKey: readMasterKey(env['VEDETTE_KEY'], dataFolder),
    demoFile: orNull(env['VEDETTE_DEMO']),
    demoHistoryMs: Number(env['VEDETTE_DEMO_HOURS'] ?? '6') * HOUR_MS,
    publicPort: Number(env['VEDETTE_PUBLIC_PORT'] ?? '0'),
    ownPorts: portsIn(`${env['VEDETTE_PUBLIC_PORT'] ?? ''},${env['VEDETTE_OWN_PORTS'] ?? ''}`),
    consoleFolder: orNull(env['VEDETTE_CONSOLE']),
    backupPlace: orNull(env['VEDETTE_BACKUP_TO']),
    node: readNode(env['VEDETTE_NODE']),
    nodeListPath: join(need(env, 'VEDETTE_RUN'), NODE_LIST_FILE),
    logLevel: env['VEDETTE_LOG_LEVEL'] ?? 'info',
    checksAnswers: env['VEDETTE_CHECK_ANSWERS'] === '1',
    version: readVersion(),
    commit: env['VEDETTE_COMMIT'] ?? '',
  };
}

/** As the launcher writes it. */
function readNode(text: string | undefined): NodeSettings | null {
  return orNull(text) === null ? null : (JSON.parse(text ?? '') as NodeSettings);
}

function portsIn(list: string): ReadonlySet<number> {
  return new Set(list.split(',').flatMap((text) => (text === '' ? [] : [Number(text)])));
}

function need(env: NodeJS.ProcessEnv, name: string): string {
  const value = orNull(env[name]);
  if (value === null) throw new Error(`the environment lacks ${name}`);
  return value;
}

function orNull(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function readMasterKey(given: string | undefined, dataFolder: string): Buffer {
  const text = (orNull(given) ?? readFileSync(join(dataFolder, 'keys', 'master'), 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('the master key is not 64 hexadecimal digits');
  return Buffer.from(text, 'hex');
}

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : '0.0.0';
}
