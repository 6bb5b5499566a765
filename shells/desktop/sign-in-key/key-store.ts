// Where the key for signing in lies: in the keyring of the desktop, else in a file of the profile that nobody but its owner may read.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import path from 'node:path';

export interface KeyStore {
  readonly kind: 'keyring' | 'file';
  /** Null: nothing is kept. */
  read(): Promise<string | null>;
  write(secret: string): Promise<void>;
  clear(): Promise<void>;
}

/** The tool of libsecret; the secret goes through its pipes, never along its arguments. */
const TOOL = 'secret-tool';

/** `origin`: of the server that the key is for. */
export async function openKeyStore(folder: string, origin: string): Promise<KeyStore> {
  if (!hasSessionBus(process.env)) return keyFile(folder);
  const attributes = ['service', 'vedette-shell', 'server', origin];
  const { exitCode, errors } = await run(['lookup', ...attributes]);
  // Without a secret it fails silently; without a keyring it says why.
  return exitCode === 0 || (exitCode === 1 && errors === '') ? keyring(attributes, origin) : keyFile(folder);
}

/** Keyrings are asked over the bus of the desktop's session; the tool would start one of its own. */
function hasSessionBus(env: NodeJS.ProcessEnv): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address = '', XDG_RUNTIME_DIR: folder = '' } = env;
  return address !== '' || (folder !== '' && existsSync(path.join(folder, 'bus')));
}

function keyring(attributes: readonly string[], origin: string): KeyStore {
  return {
    kind: 'keyring',
    read: async () => {
      const { exitCode, output } = await run(['lookup', ...attributes]);
      return exitCode === 0 ? output : null;
    },
    write: async (secret) => {
      const { exitCode } = await run(['store', '--label', `Vedette: ${origin}`, ...attributes], secret);
      if (exitCode !== 0) throw new Error('the keyring takes no key');
    },
    clear: async () => void (await run(['clear', ...attributes])),
  };
}

function keyFile(folder: string): KeyStore {
  const file = path.join(folder, 'sign-in-key.json');
  return {
    kind: 'file',
    read: async () => {
      try {
        return readFileSync(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    write: async (secret) => {
      writeFileSync(`${file}.new`, secret, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    clear: async () => rmSync(file, { force: true }),
  };
}

/** Exit code −1 where the tool is not installed. */
async function run(
  args: readonly string[],
  input = '',
): Promise<{ readonly exitCode: number; readonly output: string; readonly errors: string }> {
  const tool = spawn(TOOL, args, { stdio: 'pipe' });
  const ended = new Promise<number>((resolve) => {
    tool.on('error', () => resolve(-1));
    tool.on('close', (code) => resolve(code ?? -1));
  });
  // It may end before it reads.
  tool.stdin.on('error', () => undefined);
  tool.stdin.end(input);
  const [output, errors, exitCode] = await Promise.all([text(tool.stdout), text(tool.stderr), ended]);
  return { exitCode, output, errors };
}
