// The desktop shell's key for signing in, in memory and with the calls of a server under test.
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import type { KeyStore } from '../../shells/desktop/sign-in-key/key-store.ts';
import { SignInKey } from '../../shells/desktop/sign-in-key/sign-in-key.ts';
import type { CallClient, ServerUnderTest } from './server-under-test.ts';

/** As `ServerUnderTest.send` names the server. */
const ORIGIN = 'http://localhost:8443';

interface KeyOptions {
  /** Of the server that it signs for. */
  readonly origin?: string;
  /** Before each call. */
  readonly onCall?: (path: string, input: object) => Promise<unknown>;
}

export function shellKey(server: ServerUnderTest, { origin = ORIGIN, onCall }: KeyOptions = {}): SignInKey {
  let kept: string | null = null;
  const store: KeyStore = {
    kind: 'file',
    read: async () => kept,
    write: async (secret) => {
      kept = secret;
    },
    clear: async () => {
      kept = null;
    },
  };
  return new SignInKey({
    origin,
    store,
    call: async (path, input) => {
      await onCall?.(path, input);
      return await server.client().call(path as CallPath, input as never);
    },
  });
}

/** Signs in with the password and registers the key, as the page does with its box ticked. */
export async function registerKey(
  server: ServerUnderTest,
  key: SignInKey,
  account: { readonly name: string; readonly password: string; readonly code?: string },
): Promise<CallClient> {
  const { name, password, code } = account;
  const signedIn = await server.client().ok('account/login', {
    account: name,
    password,
    browserId: `shell of ${name}`,
    clientType: 'client',
    signInKey: key.create(),
    ...(code !== undefined && { verifyCode: code }),
  });
  await key.keep({ userId: signedIn.userId, loginName: name });
  return server.client(signedIn.accessToken);
}

/** The ticket that the key gets; empty where it is refused. */
export async function ticketOf(key: SignInKey): Promise<string> {
  return (await key.ticket())?.ticket ?? '';
}
