// Tests of where the key for signing in lies: in a keyring by its tool, else in a file of its owner.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openKeyStore } from './key-store.ts';

const ORIGIN = 'https://vedette.example';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vedette-key-'));
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program in place of libsecret's: it writes its arguments down, and does what the script says. */
function installTool(script: string): void {
  const tool = path.join(folder, 'secret-tool');
  writeFileSync(tool, `#!/bin/sh\necho "$@" >> ${folder}/arguments\n${script}\n`);
  chmodSync(tool, 0o755);
}

it('is the keyring where there is one; the secret is no argument of its tool', async () => {
  const kept = `${folder}/kept`;
  installTool(`case $1 in
    store) cat > ${kept} ;;
    lookup) test -f ${kept} && cat ${kept} ;;
    clear) rm -f ${kept} ;;
  esac`);
  const store = await openKeyStore(folder, ORIGIN);
  expect(store.kind).toBe('keyring');
  expect(await store.read()).toBeNull();
  await store.write('a private key');
  expect(await store.read()).toBe('a private key');
  await store.clear();
  expect(await store.read()).toBeNull();
  const given = readFileSync(path.join(folder, 'arguments'), 'utf8');
  expect(given).toContain(`lookup service vedette-shell server ${ORIGIN}`);
  expect(given).not.toContain('private');
});

it('is a file of mode 0600 where the keyring does not answer, or the tool or the bus is missing', async () => {
  installTool('echo "no such interface" >&2; exit 1');
  const withoutKeyring = await openKeyStore(folder, ORIGIN);
  rmSync(path.join(folder, 'secret-tool'));
  vi.stubEnv('PATH', folder);
  const withoutTool = await openKeyStore(folder, ORIGIN);
  installTool('exit 0');
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', '');
  vi.stubEnv('XDG_RUNTIME_DIR', '');
  const withoutBus = await openKeyStore(folder, ORIGIN);
  for (const store of [withoutKeyring, withoutTool, withoutBus]) {
    expect(store.kind).toBe('file');
    expect(await store.read()).toBeNull();
    await store.write('a private key');
    const file = path.join(folder, 'sign-in-key.json');
    expect([statSync(file).mode & 0o777, await store.read()]).toEqual([0o600, 'a private key']);
    await store.clear();
    expect(existsSync(file)).toBe(false);
  }
});

it('says that a keyring takes no key', async () => {
  installTool('test "$1" = lookup');
  const store = await openKeyStore(folder, ORIGIN);
  await expect(store.write('a private key')).rejects.toThrow('keyring');
});
