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

type Protocol = ListeningSocket['protocol'];

/** By inode. */
async function openPorts(): Promise<Map<string, { protocol: Protocol; port: number }>> {
  const ports = new Map<string, { protocol: Protocol; port: number }>();
  for (const protocol of ['tcp', 'udp'] as const) {
    for (const line of [...(await socketLines(protocol)), ...(await socketLines(`${protocol}6`))]) {
      const { inode, port, isOpen } = socketOf(protocol, line);
      if (isOpen && port > 0) ports.set(inode, { protocol, port });
    }
  }
  return ports;
}

async function socketLines(table: string): Promise<string[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  return text.split('\n').slice(1);
}

function socketOf(protocol: Protocol, line: string): { inode: string; port: number; isOpen: boolean } {
  const fields = line.trim().split(/\s+/);
  const [local = '', remote = '', state = ''] = fields.slice(1, 4);
  const isOpen = protocol === 'tcp' ? state === LISTEN : state === UNCONNECTED && remote.endsWith(':0000');
  return { inode: fields[9] ?? '', port: Number.parseInt(local.split(':')[1] ?? '', 16), isOpen };
}

async function socketsOf(pid: number): Promise<string[]> {
  // It may end while it is looked at.
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
