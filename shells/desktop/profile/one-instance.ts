// One shell for each profile: a second one passes its window on to the first, by a socket in the profile's folder.
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';

/** A path below the server. */
const ADDRESS_MAX = 4096;

/** True where another shell runs with this profile and took the window. */
export function passToRunning(profile: string, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketOf(profile));
    socket.on('connect', () => socket.end(address));
    socket.on('close', (hadError) => resolve(!hadError));
    // Nobody listens: `close` follows.
    socket.on('error', () => undefined);
  });
}

/** `open` is called with the address that each further shell was started with. */
export async function takeOver(profile: string, open: (address: string) => void): Promise<Server> {
  // What a shell left behind that was killed; nobody listens there any more.
  rmSync(socketOf(profile), { force: true });
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > ADDRESS_MAX) socket.destroy();
    });
    socket.on('end', () => open(text));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketOf(profile), resolve);
  });
  return server;
}

function socketOf(profile: string): string {
  return path.join(profile, 'shell.sock');
}
