// Tests of the call wrapper against a fake transport.
import { describe, expect, it, vi } from 'vitest';
import { CallFailure, NetworkFailure } from './call-failure.ts';
import { fakeTransport } from './caller.fake.ts';
import { type CallerOptions, createCaller } from './caller.ts';
import { allChannels, allLinks, allShares, batchDevices } from './paged-calls.ts';

function setUp(answer: Parameters<typeof fakeTransport>[0], over: Partial<CallerOptions> = {}) {
  const fake = fakeTransport(answer);
  const told = { onError: vi.fn(), onSuccess: vi.fn(), onSessionEnd: vi.fn() };
  const caller = createCaller({
    transport: fake.transport,
    baseUrl: () => 'https://vms.example/api/v1',
    token: () => 'T1',
    ...told,
    ...over,
  });
  return { fake, told, caller };
}

describe('[CA-01] the call wrapper', () => {
  it('posts JSON below the base address with the stored token', async () => {
    const { fake, caller } = setUp(() => ({ code: 200, data: { total: 0, deviceList: [] } }));
    await caller.ask('device/list', { pageNo: 2 });
    expect(fake.requests[0]).toMatchObject({
      url: 'https://vms.example/api/v1/device/list',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer T1' },
      body: '{"pageNo":2}',
    });
  });

  it('sends no Authorization header without a token', async () => {
    const { fake, caller } = setUp(() => ({ code: 200 }), { token: () => null });
    await caller.send('server/version', {});
    expect(fake.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('compares the code with 200 and gives the data, or the failure with code and data', async () => {
    const { caller } = setUp((path) =>
      path === 'device/get' ? { code: 1009, message: 'gone', data: { a: 1 } } : { code: 200, data: { userId: 'u' } },
    );
    await expect(caller.ask('token/check', {})).resolves.toEqual({ userId: 'u' });
    await expect(caller.ask('device/get', { deviceSerial: 'X' })).rejects.toMatchObject({ code: 1009, data: { a: 1 } });
  });

  it('repeats a call after the user confirmed the password, and reports the refusal otherwise', async () => {
    const answers = [1040, 200, 1040];
    const asked = vi.fn(async () => true);
    const answer = () => ({ code: answers.shift() ?? 500, data: { methods: ['totp'], target: '' } });
    const { fake, told, caller } = setUp(answer, { onStepUp: asked });
    expect((await caller.send('account/twofactor/recovery', {})).code).toBe(200);
    expect(asked).toHaveBeenCalledWith({ methods: ['totp'], target: '' });
    expect(fake.requests).toHaveLength(2);
    expect(told.onError).not.toHaveBeenCalled();
    asked.mockResolvedValueOnce(false);
    await expect(caller.ask('account/twofactor/recovery', {})).rejects.toMatchObject({ code: 1040 });
    expect(fake.requests).toHaveLength(3);
  });

  it('shows an error unless showError is off, a success only with showSuc', async () => {
    const { told, caller } = setUp(() => ({ code: 1003, message: 'bad', data: { field: 'x' } }));
    await caller.send('device/list', {});
    expect(told.onError).toHaveBeenCalledWith(1003, 'bad', { field: 'x' });
    await caller.send('device/list', {}, { showError: false });
    expect(told.onError).toHaveBeenCalledTimes(1);
    const good = setUp(() => ({ code: 200 }));
    await good.caller.send('device/list', {});
    expect(good.told.onSuccess).not.toHaveBeenCalled();
    await good.caller.send('device/list', {}, { showSuc: true });
    expect(good.told.onSuccess).toHaveBeenCalledTimes(1);
  });

  it('sends a file as octet-stream in upload mode, with progress and a success message', async () => {
    const { fake, told, caller } = setUp(() => ({ code: 200 }));
    const file = new Blob(['abc']);
    await caller.send('device/list', { pageNo: 1 }, { upload: { file } });
    expect(fake.requests[0]?.headers['content-type']).toBe('application/octet-stream');
    expect(fake.requests[0]?.body).toBe(file);
    expect(fake.requests[0]?.url).toContain('/device/list?pageNo=1');
    expect(told.onSuccess).toHaveBeenCalledWith(true);
  });

  it('gives up after the timeout', async () => {
    const { caller } = setUp(() => ({ code: 200 }), {
      transport: (request) =>
        new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    await expect(caller.ask('device/list', {}, { timeoutMs: 5 })).rejects.toBeInstanceOf(NetworkFailure);
  });
});

describe('[ER-04] network failure', () => {
  it('is silent, and calls catchNetError with no argument where given', async () => {
    const { told, caller } = setUp(() => new Error('connection refused'));
    const catchNetError = vi.fn();
    await expect(caller.ask('device/list', {}, { catchNetError })).rejects.toBeInstanceOf(NetworkFailure);
    expect(catchNetError).toHaveBeenCalledExactlyOnceWith();
    expect(told.onError).not.toHaveBeenCalled();
  });

  it('treats an answer without an envelope as a network failure', async () => {
    const { caller } = setUp(() => ({ code: 200 }), {
      transport: async () => ({ status: 502, text: '<html>' }),
    });
    await expect(caller.ask('device/list', {})).rejects.toBeInstanceOf(NetworkFailure);
  });
});

describe('[CA-08] silent and loud calls', () => {
  it.each(['device/capacity', 'capture/get', 'device/get'] as const)('%s shows no error', async (path) => {
    const { told, caller } = setUp(() => ({ code: 1009 }));
    await expect(caller.ask(path, { deviceSerial: 'A', channelNo: 1 })).rejects.toBeInstanceOf(CallFailure);
    expect(told.onError).not.toHaveBeenCalled();
  });
  it('device/delete shows a success message', async () => {
    const { told, caller } = setUp(() => ({ code: 200 }));
    await caller.ask('device/delete', { deviceSerial: 'A' });
    expect(told.onSuccess).toHaveBeenCalledTimes(1);
  });
});

describe('[ST-05] session-ending codes', () => {
  it.each([1001, 1002, 2031])('code %i ends the session, 2004 does not', async (code) => {
    const { told, caller } = setUp((path) => ({ code: path === 'account/info' ? code : 2004 }));
    await caller.send('account/password/change', { oldPassword: 'a', password: 'b' });
    expect(told.onSessionEnd).not.toHaveBeenCalled();
    await caller.send('account/info', {});
    expect(told.onSessionEnd).toHaveBeenCalledWith(code, expect.any(String));
  });
  it('[SE-02] a sign-in that waits after wrong passwords does not end the session of the page', async () => {
    let reason = 'tooManyAttempts';
    const { told, caller } = setUp(() => ({ code: 2031, data: { reason } }));
    const order = { account: 'a', password: 'b', browserId: 'c', clientType: 'web' } as const;
    await caller.send('account/login', order);
    expect(told.onSessionEnd).not.toHaveBeenCalled();
    reason = 'disabled';
    await caller.send('account/login', order);
    expect(told.onSessionEnd).toHaveBeenCalledWith(2031, expect.any(String));
  });
  it('a locked account at sign-in ends no session, for there is none', async () => {
    const { told, caller } = setUp(() => ({ code: 2031 }), { token: () => null });
    await caller.send('account/login', { account: 'a', password: 'b', browserId: 'c', clientType: 'web' });
    expect(told.onSessionEnd).not.toHaveBeenCalled();
    expect(told.onError).toHaveBeenCalledTimes(1);
  });
});

describe('[CA-09] a call that fails', () => {
  it('shows its message once, and is neither repeated nor a success nor the end of the session', async () => {
    for (const code of [1000, 1003, 1004, 1009, 2316]) {
      const { fake, told, caller } = setUp(() => ({ code, message: 'm', data: null }));
      await expect(caller.ask('device/delete', { deviceSerial: 'A' })).rejects.toMatchObject({ code });
      expect(fake.requests).toHaveLength(1);
      expect(told.onError.mock.calls).toEqual([[code, 'm', null]]);
      expect(told.onSuccess).not.toHaveBeenCalled();
      expect(told.onSessionEnd).not.toHaveBeenCalled();
    }
  });
  it('leaves the message to the screen that shows its own error state', async () => {
    const { fake, told, caller } = setUp(() => ({ code: 1009 }));
    const asked = caller.ask('channel/list', { deviceSerial: 'A' }, { showError: false });
    await expect(asked).rejects.toMatchObject({ code: 1009 });
    expect(fake.requests).toHaveLength(1);
    expect(told.onError).not.toHaveBeenCalled();
  });
});

describe('[CA-05] loops and chunks', () => {
  it('[LM-06] asks for shares and guest links by 100, and goes on until it has all', async () => {
    const { fake, caller } = setUp((path, input) => {
      const { pageStart, pageSize } = input as { pageStart: number; pageSize: number };
      const rows = Array.from({ length: Math.min(pageSize, 1203 - pageStart * pageSize) }, () => ({}));
      return { code: 200, data: { total: 1203, [path === 'share/link/list' ? 'linkList' : 'shareList']: rows } };
    });
    expect(await allShares(caller, 'share/given/list', ['active'])).toHaveLength(1203);
    expect(await allLinks(caller)).toHaveLength(1203);
    const sizes = fake.requests.map((_one, at) => (fake.bodyOf(at) as { pageSize: number }).pageSize);
    expect(sizes).toEqual(Array.from({ length: 26 }, () => 100));
  });
  it('repeats channel/list while total exceeds (page + 1) × 100', async () => {
    const { fake, caller } = setUp((_, input) => {
      const { pageStart } = input as { pageStart: number };
      return {
        code: 200,
        data: { total: 230, channelList: Array.from({ length: pageStart < 2 ? 100 : 30 }, () => ({})) },
      };
    });
    expect(await allChannels(caller, 'A1')).toHaveLength(230);
    expect(fake.requests.map((_, at) => fake.bodyOf(at))).toEqual(
      [0, 1, 2].map((pageStart) => ({ deviceSerial: 'A1', pageStart, pageSize: 100 })),
    );
  });
  it('asks for exactly one page when total is exactly 100', async () => {
    const { fake, caller } = setUp(() => ({ code: 200, data: { total: 100, channelList: Array(100).fill({}) } }));
    await allChannels(caller, 'A1');
    expect(fake.requests).toHaveLength(1);
  });
  it('cuts device/batch into chunks of 100 and passes recorderOnly on', async () => {
    const { fake, caller } = setUp((_, input) => ({
      code: 200,
      data: { deviceList: (input as { deviceSerialList: string[] }).deviceSerialList.map(() => ({})) },
    }));
    const serials = Array.from({ length: 250 }, (_, at) => `S${at}`);
    expect(await batchDevices(caller, serials, { recorderOnly: true })).toHaveLength(250);
    expect(
      fake.requests.map((_, at) => (fake.bodyOf(at) as { deviceSerialList: string[] }).deviceSerialList.length),
    ).toEqual([100, 100, 50]);
    expect(fake.bodyOf(0)).toMatchObject({ recorderOnly: true });
  });
});
