// Opens the port and says how that went: the launcher's first line of this process.
import { once } from 'node:events';
import type { Server } from 'node:net';

export interface ListenPlace {
  readonly port: number;
  /** Empty: every address. */
  readonly host: string;
}

export type ListenOutcome =
  | { readonly event: 'ready'; readonly port: number }
  | { readonly event: 'failed'; readonly code: string; readonly message: string; readonly hint: string };

const HINT = 'Choose another with --port N (0 takes any free one).';
export const NODE_HINT = 'Choose another with --node-address HOST:PORT.';

export async function listen(server: Server, { port, host }: ListenPlace, hint = HINT): Promise<ListenOutcome> {
  const code = await tryListen(server, port, host === '' ? '::' : host);
  // A machine without IPv6 cannot open the dual-stack socket.
  const last = host === '' && code === 'EAFNOSUPPORT' ? await tryListen(server, port, '0.0.0.0') : code;
  if (last !== null) return failure(last, host === '' ? `port ${port}` : `${host} port ${port}`, hint);
  const address = server.address();
  return { event: 'ready', port: typeof address === 'object' && address ? address.port : port };
}

/** Null where it listens, else the system's code. */
async function tryListen(server: Server, port: number, host: string): Promise<string | null> {
  server.listen({ port, host });
  try {
    await once(server, 'listening');
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

function failure(code: string, where: string, hint: string): ListenOutcome {
  if (code === 'EADDRINUSE')
    return { event: 'failed', code: 'portInUse', message: `${where} is in use by another program.`, hint };
  if (code === 'EACCES')
    return { event: 'failed', code: 'portForbidden', message: `this user may not listen on ${where}.`, hint };
  return { event: 'failed', code: 'portUnusable', message: `cannot listen on ${where} (${code}).`, hint };
}
