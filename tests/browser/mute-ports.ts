// Ports at which no camera answers.
import { createServer, type AddressInfo, type Server } from 'node:net';

/** A port where nothing listens any more. */
export async function deadPort(): Promise<number> {
  const server = await listen();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Answers everything with a line that is neither HTTP nor RTSP. */
export function listen(): Promise<Server> {
  const server = createServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
