// Listening sockets of a process tree, read from /proc.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { processesBelow } from './processes.ts';

export interface ListeningSocket {
  readonly pid: number;
  readonly command: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

const LISTEN = '0A';
/** A UDP socket that is bound and not connected. */
const UNCONNECTED = '07';

export async function listeningSockets(rootPid: number): Promise<ListeningSocket[]> {
  const open = await openPorts();
  const found: ListeningSocket[] = [];
  for (const { pid, command } of await processesBelow(rootPid)) {
    for (const inode of await socketsOf(pid)) {
      const socket = open.get(inode);
      if (socket) found.push({ pid, command, ...socket });
    }
  }
  return found;
}

async function openPorts(): Promise<Map<string, { protocol: 'tcp' | 'udp'; port: number }>> {
  const ports = new Map<string, { protocol: 'tcp' | 'udp'; port: number }>();
  for (const protocol of ['tcp', 'udp'] as const) {
    for (const version of ['', '6']) {
      const table = await readFile(`/proc/net/${protocol}${version}`, 'utf8').catch(() => '');
      for (const line of table.split('\n').slice(1)) {
        const fields = line.trim().split(/\s+/);
        const [local = '', remote = '', state = ''] = fields.slice(1, 4);
        const isOpen = protocol === 'tcp' ? state === LISTEN : state === UNCONNECTED && remote.endsWith(':0000');
        const port = Number.parseInt(local.split(':')[1] ?? '', 16);
        if (isOpen && port > 0) ports.set(fields[9] ?? '', { protocol, port });
      }
    }
  }
  return ports;
}

async function socketsOf(pid: number): Promise<string[]> {
  // It may end while it is looked at.
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
