// The gateway as a process of its own, in front of any sockets: with a certificate of its own authority.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gatewayFlags } from '../../launcher/installation/heap-flags.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const SCRIPT = join(ROOT, 'gateway/main-gateway.ts');

export interface GatewayProcess {
  readonly port: number;
  readonly process: ChildProcess;
  /** Lines of its log. */
  readonly log: readonly string[];
  /** Tells it that the files of its certificate have changed. */
  reloadCertificate(): void;
  stop(): Promise<void>;
}

/** Writes an authority (`ca.pem`) and a certificate of it for these names; answers the authority. The launcher's own code makes them. */
export async function makeCertificate(folder: string, names: readonly string[]): Promise<string> {
  const code = `import { ensureServerCertificate } from ${JSON.stringify(`${ROOT}launcher/tls/local-authority.js`)};
    ensureServerCertificate(${JSON.stringify(folder)}, ${JSON.stringify(names)}, new Date());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  const [exit] = (await once(child, 'exit')) as [number | null];
  if (exit !== 0) throw new Error(`no certificate was made (${exit})`);
  return await readFile(join(folder, 'ca.pem'), 'utf8');
}

/**
 * @param folder of its certificate
 * @param more settings of the gateway; by default any free port of every address, and the sockets lie in `folder`
 */
export async function startGateway(folder: string, more: object = {}): Promise<GatewayProcess> {
  const file = (name: string): string => join(folder, name);
  const tls = { ca: file('ca.pem'), cert: file('server.pem'), key: file('server.key') };
  const settings = { port: 0, host: '', run: folder, tls, http: false, trustedProxies: [], ...more };
  const child = spawn(process.execPath, [...gatewayFlags, SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, VEDETTE_GATEWAY: JSON.stringify(settings) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const exited = once(child, 'exit').then(() => {
    throw new Error(`the gateway ended before it was ready:\n${log.join('\n')}`);
  });
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const [line] = (await Promise.race([ready, exited])) as [string];
  exited.catch(() => undefined);
  return {
    port: (JSON.parse(line) as { port: number }).port,
    process: child,
    log,
    reloadCertificate: () => void child.stdin.write('reload-certificate\n'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
