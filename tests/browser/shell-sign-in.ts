// Signs a desktop shell in: its profile gets a key, as if the person had ticked automatic sign-in, and what the browser wrote there is read.
import { chownSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openKeyStore } from '../../shells/desktop/sign-in-key/key-store.ts';
import { serverCall } from '../../shells/desktop/sign-in-key/server-call.ts';
import { SignInKey } from '../../shells/desktop/sign-in-key/sign-in-key.ts';
import { ApiClient } from '../harness/api-client.ts';
import type { Product } from '../harness/product.ts';
import { OPERATOR } from './signed-in.ts';

/** Where browsers keep what pages store, below the profile of the shell. */
const CHROMIUM = path.join('browser', 'Default');
export const WEBKIT = 'webkit';

/** After a first start of the shell, which made the browser's id, and while it does not run. Returns where the key is kept. */
export async function keepKey(product: Product, profile: string, storage = CHROMIUM): Promise<string> {
  const origin = new URL(product.url).origin;
  const store = await openKeyStore(profile, origin);
  const signInKey = new SignInKey({ origin, store, call: serverCall(origin, null) });
  const [name, password] = OPERATOR;
  const { userId } = await new ApiClient(product.url).ok('account/login', {
    account: name,
    password,
    browserId:
      (await profileText(profile, storage)).match(/vedette\.browserId.{0,8}?(?<id>[0-9a-f]{32})/s)?.groups?.['id'] ??
      '',
    clientType: 'client',
    signInKey: signInKey.create(),
  });
  await signInKey.keep({ userId, loginName: name });
  const { uid, gid } = statSync(profile);
  chownSync(path.join(profile, 'sign-in-key.json'), uid, gid);
  return store.kind;
}

/** Of everything that the browser wrote; its storage has two bytes a character in places. */
export async function profileText(profile: string, storage = CHROMIUM): Promise<string> {
  const folder = path.join(profile, storage);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const stored = files.filter((one) => one.isFile() && !/Cache/.test(one.parentPath));
  const texts = await Promise.all(stored.map((one) => readFile(path.join(one.parentPath, one.name), 'latin1')));
  return texts.join('\n').replaceAll('\0', '');
}
