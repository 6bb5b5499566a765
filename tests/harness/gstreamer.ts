// Starts GStreamer's RTSP server (Debian's own python3) as an independent camera for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface GstreamerPeer {
  readonly port: number;
  url(path: string): string;
  stop(): Promise<void>;
}

/**
 * @param account where given, the server asks for Digest sign-in
 * @param tls files of a certificate and its key; where given, the server speaks `rtsps`
 */
export async function startGstreamer(
  account?: { user: string; password: string },
  tls?: { cert: string; key: string },
): Promise<GstreamerPeer> {
  const script = new URL('../peers/gstreamer-rtsp.py', import.meta.url).pathname;
  const options = account ? ['--user', account.user, '--password-stdin'] : [];
  if (tls) options.push('--tls-cert', tls.cert, '--tls-key', tls.key);
  const child = spawn('/usr/bin/python3', [script, ...options], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(account ? `${account.password}\n` : '');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  return { port, url: (path) => `${tls ? 'rtsps' : 'rtsp'}://127.0.0.1:${port}${path}`, stop: () => stopChild(child) };
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
