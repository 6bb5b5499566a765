// Tests of the console's side of the shell: nothing happens without one, and only topics that it named are asked.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askShell, connectShell, greetShell, type NativeShell, shellTakes, sendToShell } from './native-shell.ts';
import { findP2pVersion } from './p2p-version.ts';

afterEach(() => {
  connectShell(null);
  vi.unstubAllGlobals();
});

function shellWith(named: readonly string[], answer: unknown, code = 200): NativeShell {
  return {
    tell: vi.fn(),
    ask: vi.fn(async () => ({ code, data: answer })) as unknown as NativeShell['ask'],
    isNamed: (topic) => named.includes(topic),
    greet: async () => ({ lanDeviceList: ['one'] }),
  };
}

describe('in a browser', () => {
  it('[SE-90] nobody is told or asked', async () => {
    sendToShell('account/status', { status: 1 });
    expect([await askShell('p2p/version', {}), await greetShell(), shellTakes('link/open')]).toEqual([null, {}, false]);
  });
});

describe('in a shell', () => {
  it('everything is told, and only what it named is asked', async () => {
    const shell = shellWith(['p2p/version'], { version: '1.0', build: null });
    connectShell(shell);
    sendToShell('account/status', { status: 1 });
    expect(vi.mocked(shell.tell).mock.calls).toEqual([['account/status', { status: 1 }]]);
    expect(await askShell('p2p/version', {})).toEqual({ version: '1.0', build: null });
    expect(await askShell('file/save', { name: 'a', url: 'blob:x' })).toBeNull();
    expect(shell.ask).toHaveBeenCalledTimes(1);
    expect(await greetShell()).toEqual({ lanDeviceList: ['one'] });
  });

  it('[BR-03] tells the version of direct connections; where it refuses, the page asks itself', async () => {
    const fetched = vi.fn(async () => new Response('2.0.1'));
    vi.stubGlobal('fetch', fetched);
    connectShell(shellWith(['p2p/version'], { version: '1.0', build: 'cn' }));
    expect([await findP2pVersion(), fetched.mock.calls]).toEqual([{ version: '1.0', build: 'cn' }, []]);
    connectShell(shellWith(['p2p/version'], {}, 1012));
    expect(await findP2pVersion()).toEqual({ version: '2.0.1', build: null });
    connectShell(null);
    expect(await findP2pVersion()).toEqual({ version: '2.0.1', build: null });
  });
});
