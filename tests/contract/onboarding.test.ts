// Onboarding: scans per account, CSV rows, an import that survives a server restart, and registration codes.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv } from '@vedette/rules/csv/csv.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

/** As many as an installation brings at once, in the long run. */
const MANY = faultRounds(100, 1000);
const WITHIN_MS = 120_000;

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let partner: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const secret = 'Secret-1';
  await operator.ok('user/add', { username: 'partner', password: secret, userType: 2 });
  partner = await server.signIn('partner', secret);
}, 60_000);
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

function storedImports(): Promise<{ state: string; sealed: Buffer | null; results: string }[]> {
  return query("select state, sealed, results::text from device_import where mode = 'apply' order by created_at desc");
}

async function finished(client: CallClient, task: string) {
  const status = async () => (await client.ok('device/import/status', { task })).import;
  await waitFor('the import to end', async () => (await status())?.state !== 'running');
  return await status();
}

describe('[DM-01] discovery', () => {
  it('marks existing devices, and hides the search of another account', async () => {
    await operator.ok('device/add', { target: 'rtsp://192.0.2.61/1', deviceName: 'Known' });
    const found = { driver: 'rtsp', endpoint: '', deviceName: '<b>Gate</b>', deviceModel: 'C2' };
    site.found = [
      { ...found, target: 'rtsp://192.0.2.61' },
      { ...found, target: 'rtsp://192.0.2.62' },
    ];
    const { scanId, candidateList } = await operator.ok('device/discover', {});
    expect(candidateList.map(({ address, deviceSerial }) => [address, deviceSerial !== null])).toEqual([
      ['192.0.2.61', true],
      ['192.0.2.62', false],
    ]);
    expect(candidateList[0]?.deviceName).not.toContain('<');
    const other = await partner.ok('device/discover', { scope: '10.0.0.0/24', ports: [80, 81] });
    expect(other.candidateList.every(({ deviceSerial }) => deviceSerial === null)).toBe(true);
    expect((await partner.call('device/discover', { scanId })).code).toBe(1007);
    expect((await partner.call('device/discover/cancel', { scanId })).code).toBe(1007);
    expect(site.scans).toEqual([
      { network: null, ports: null, isOperator: true },
      { network: '10.0.0.0/24', ports: [80, 81], isOperator: false },
    ]);
  });

  it('[SE-100] a new search of an account ends its former one', async () => {
    const { scanId } = await operator.ok('device/discover', { waitMs: 0 });
    await operator.ok('device/discover', { waitMs: 0 });
    expect(site.endedScans).toContain(scanId);
  });
});

describe('[DM-02] devices from a CSV file', () => {
  const HEADER = 'serial,name,type,address,port,user,password,path,organization';

  it('reports what is wrong with each row before anything is added', async () => {
    const { organizationId } = await operator.ok('org/add', { organizationName: 'Campus' });
    await operator.ok('org/add', { organizationName: 'Gate', parentOrgId: organizationId });
    const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.70/1', deviceName: 'There' });
    await partner.ok('device/add', { target: 'rtsp://192.0.2.71/1', deviceName: 'Theirs' });
    const theirs = (await partner.ok('device/list', {})).deviceList[0]?.deviceSerial ?? '';
    const before = (await operator.ok('device/list', {})).total;
    const rows = [
      ',New,,rtsp://192.0.2.80/1,,u,p,,Campus/Gate',
      ',Same,,rtsp://192.0.2.70/1,,u,p,,',
      `${device.deviceSerial},By serial,,rtsp://192.0.2.81/1,,u,p,,`,
      `${theirs},Foreign,,rtsp://192.0.2.82/1,,u,p,,`,
      ',Nowhere,,rtsp://192.0.2.83/1,,u,p,,Campus/Moon',
      ',Twice,,rtsp://192.0.2.80/1,,u,p,,',
      ',,,,,,,,',
    ];
    const { import: dry } = await operator.ok('device/import', { csv: [HEADER, ...rows].join('\r\n') });
    expect(dry).toMatchObject({ task: null, mode: 'dryRun', state: 'finished', total: 7, done: 7 });
    expect(dry.rowList.map(({ line, state, code, problems }) => [line, state, code, problems])).toEqual([
      [2, 'ready', null, {}],
      [3, 'failed', 2024, {}],
      [4, 'failed', 2024, {}],
      // What the file says of a device of somebody else proves nothing, and nothing is told of it.
      [5, 'ready', null, {}],
      [6, 'invalid', null, { organization: 'unknown' }],
      [7, 'invalid', null, { address: 'duplicate' }],
      [8, 'invalid', null, { name: 'deviceName', address: 'required' }],
    ]);
    expect((await operator.ok('device/list', {})).total).toBe(before);
    expect(site.probed.some(({ target }) => target.includes('192.0.2.80'))).toBe(false);
  });

  it.each([
    ['name,address\n"Gate,192', { csv: 'quote', line: 2 }],
    ['name\nGate', { csv: 'noAddressColumn', line: 1 }],
  ])('[SE-94] refuses the whole file %j', async (csv, data) => {
    expect(await operator.call('device/import', { csv })).toMatchObject({ code: 1003, data });
  });

  it('adds valid rows to their organisation, with their account, and stores no plain password', async () => {
    const rows = [',Added,,rtsp://192.0.2.90/1,,cam,open-sesame,,Campus/Gate', ',Bad <b>,,rtsp://192.0.2.91/1,,,,,'];
    const csv = [HEADER, ...rows].join('\n');
    const begun = (await operator.ok('device/import', { csv, mode: 'apply' })).import;
    const done = await finished(operator, begun.task ?? '');
    expect(done).toMatchObject({ state: 'finished', total: 2, done: 2 });
    expect(done?.rowList.map(({ state }) => state)).toEqual(['added', 'invalid']);
    const added = (await operator.ok('device/list', { keyWord: 'Added' })).deviceList[0];
    expect(added).toMatchObject({ organizationName: 'Gate', deviceUserName: 'cam' });
    expect(site.assigned.get(added?.deviceSerial ?? '')?.password).toBe('open-sesame');
    const stored = await storedImports();
    expect(stored[0]).toMatchObject({ sealed: null });
    expect(JSON.stringify(stored) + server.log.join('\n')).not.toContain('open-sesame');
    expect((await partner.call('device/import/status', { task: begun.task ?? '' })).code).toBe(1007);
  });

  it('stores offline devices without probing when asked to, and cancels between rows', async () => {
    site.refusals.set('probe', { code: 2317, data: { reason: 'unreachable' } });
    const csv = `${HEADER}\nAWAY0001,Away,recorder,192.0.2.95,8000,u,p,,\nAWAY0002,Stream,,192.0.2.96,554,u,p,/live,`;
    const looked = (await operator.ok('device/import', { csv, mode: 'check' })).import;
    const checked = await finished(operator, looked.task ?? '');
    expect(checked?.rowList.map(({ code, reason }) => [code, reason])).toEqual([
      [2317, 'unreachable'],
      [2317, 'unreachable'],
    ]);
    const begun = (await operator.ok('device/import', { csv, mode: 'apply', isProbed: false })).import;
    const done = await finished(operator, begun.task ?? '');
    expect(done?.rowList.map(({ state, deviceSerial }) => [state, deviceSerial])).toEqual([
      ['added', 'AWAY0001'],
      ['added', 'AWAY0002'],
    ]);
    expect(site.assigned.get('AWAY0001')).toMatchObject({
      driver: 'onvif',
      native: { url: 'http://192.0.2.95:8000/onvif/device_service' },
    });
    expect(site.assigned.get('AWAY0002')?.native).toEqual({ urls: ['rtsp://192.0.2.96:554/live'] });
    site.refusals.delete('probe');
  });

  it('[SE-100] runs one import per account at a time, and cancels it on request', async () => {
    site.silent.add('probe');
    const csv = `address\n${Array.from({ length: 40 }, (_, no) => `rtsp://198.51.100.${no}/1`).join('\n')}`;
    const { task } = (await operator.ok('device/import', { csv, mode: 'apply' })).import;
    expect((await operator.call('device/import', { csv, mode: 'apply' })).code).toBe(1011);
    const ended = (await operator.ok('device/import/cancel', { task: task ?? '' })).import;
    expect(ended.state).toBe('cancelled');
    expect(ended.rowList.filter(({ state }) => state === 'cancelled').length).toBeGreaterThan(20);
    // Those that were being looked at end with the connection; none is about to be.
    await waitFor('all that are under way', () => site.unanswered.length === 16);
    await site.hangUp();
    site = await ScriptedSite.dial(server, site);
    await waitFor('the rows under way to end', async () => {
      const stopped = await finished(operator, task ?? '');
      return stopped?.rowList.every(({ state }) => state === 'failed' || state === 'cancelled');
    });
  });

  it(
    `[DM-01] probes and adds ${MANY} devices of one file within two minutes`,
    async () => {
      const target = (no: number) => `rtsp://10.1.${no >> 8}.${no & 255}/1`;
      const rows = Array.from({ length: MANY }, (_, no) => `Camera ${no},${target(no)}`);
      const before = (await operator.ok('device/list', {})).total;
      const begunMs = Date.now();
      const { task } = (
        await operator.ok('device/import', { csv: ['name,address', ...rows].join('\n'), mode: 'apply' })
      ).import;
      const status = async () => (await operator.ok('device/import/status', { task: task ?? '' })).import;
      await waitFor('the import to end', async () => (await status())?.state !== 'running', WITHIN_MS);
      process.stdout.write(`${MANY} devices from CSV in ${Date.now() - begunMs} ms\n`);
      expect((await status())?.rowList.filter(({ state }) => state !== 'added')).toEqual([]);
      expect((await operator.ok('device/list', {})).total).toBe(before + MANY);
    },
    WITHIN_MS + 30_000,
  );

  it('[SE-95] exports devices as CSV without formulas or passwords', async () => {
    const { device } = await operator.ok('device/add', {
      target: 'rtsp://192.0.2.97/1?user=a&password=in-query',
      user: 'u',
      password: 'secret-97',
      deviceName: '=HYPERLINK("http://x")',
    });
    const { name, csv } = await operator.ok('device/export', {});
    expect(name).toBe('devices.csv');
    expect(csv).toContain(device.deviceSerial);
    expect(csv).not.toMatch(/secret-97|in-query|open-sesame/u);
    const cells = parseCsv(csv).rows.flat();
    expect(cells.filter((cell) => /^[=+\-@\t\r]/u.test(cell))).toEqual([]);
    expect(csv.startsWith('\uFEFFserial,name,type,address')).toBe(true);
    expect(csv).toContain('Campus/Gate');
    expect((await partner.ok('device/export', {})).csv).not.toContain(device.deviceSerial);
  });
});

describe('an interrupted import', () => {
  it('continues after a kill of the server, with its encrypted passwords', async () => {
    site.silent.add('probe');
    const csv = 'address,user,password\nrtsp://192.0.2.110/1,u,kept-sealed\nrtsp://192.0.2.111/1,u,kept-sealed';
    const { task } = (await operator.ok('device/import', { csv, mode: 'apply' })).import;
    const [row] = await storedImports();
    expect(row?.state).toBe('running');
    expect(row?.sealed?.toString('latin1')).not.toContain('kept-sealed');
    await server.end('SIGKILL');
    await server.run();
    site = await ScriptedSite.dial(server, site);
    const done = await finished(operator, task ?? '');
    expect(done?.rowList.map(({ state }) => state)).toEqual(['added', 'added']);
    expect(site.assigned.get(done?.rowList[1]?.deviceSerial ?? '')?.password).toBe('kept-sealed');
  });
});

describe('[VA-05] claiming a device by serial and registration code', () => {
  const wrong = 'A'.repeat(25);
  let claimed = 0;

  /** A device of the operator, with a code for it. */
  async function offered() {
    claimed += 1;
    const target = `rtsp://198.51.100.${claimed}/1`;
    const { device } = await operator.ok('device/add', { target, deviceName: 'Offered' });
    const { deviceSerial } = device;
    return { deviceSerial, ...(await operator.ok('device/code', { deviceSerial })) };
  }
  const claimBy = (caller: CallClient, deviceSerial: string, registrationCode: string) =>
    caller.call('device/add', { deviceSerial, registrationCode, deviceName: 'Claimed' });

  it('works once with both, and ends its shares', async () => {
    const { deviceSerial, registrationCode } = await offered();
    expect(registrationCode).toMatch(/^(?:[A-Z2-9]{5}-){4}[A-Z2-9]{5}$/);
    // People type it with or without its dashes, in small letters too.
    const typed = registrationCode.replaceAll('-', '').toLowerCase();
    const taken = await claimBy(partner, deviceSerial, typed);
    expect(taken).toMatchObject({ code: 200, data: { device: { deviceName: 'Claimed', organizationId: '0' } } });
    expect((await operator.call('device/get', { deviceSerial })).code).toBe(1009);
    expect((await claimBy(partner, deviceSerial, typed)).code).toBe(2024);
    expect((await claimBy(operator, deviceSerial, typed)).code).toBe(1009);
  });

  it('answers alike for an unknown serial, a wrong code, and a code replaced by a newer one', async () => {
    const { deviceSerial, registrationCode } = await offered();
    await operator.ok('device/code', { deviceSerial });
    const answers = await Promise.all([
      claimBy(partner, 'EDGE0001', wrong),
      claimBy(partner, deviceSerial, wrong),
      claimBy(partner, deviceSerial, registrationCode.replaceAll('-', '')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe(1009);
    expect((await claimBy(operator, deviceSerial, wrong)).code).toBe(2024);
  });

  it('five wrong codes void the right one, and it expires after ten minutes', async () => {
    const { deviceSerial, registrationCode } = await offered();
    const right = registrationCode.replaceAll('-', '');
    for (let tries = 0; tries < 5; tries += 1) expect((await claimBy(partner, deviceSerial, wrong)).code).toBe(1009);
    expect((await claimBy(partner, deviceSerial, right)).code).toBe(1009);
    const next = await offered();
    await query('update device_code set code_until = code_until - 600001');
    expect((await claimBy(partner, next.deviceSerial, next.registrationCode.replaceAll('-', ''))).code).toBe(1009);
  });

  it('needs a code of its owner', async () => {
    const { deviceSerial } = await offered();
    expect((await partner.call('device/code', { deviceSerial })).code).toBe(1009);
    const permission = ['videoView', 'equipmentConfiguration'] as const;
    const share = { account: 'partner', items: [{ deviceSerial }], permission: [...permission] };
    await partner.ok('share/accept', { shareId: (await operator.ok('share/add', share)).shareId });
    expect((await partner.call('device/code', { deviceSerial })).code).toBe(1004);
    expect((await claimBy(partner, deviceSerial, wrong)).code).toBe(2029);
  });

  it.each([
    [{ deviceSerial: 'EDGE0001', registrationCode: 'short', deviceName: 'Edge' }],
    [{ deviceSerial: 'EDGE0001', registrationCode: wrong, deviceName: 'Edge', target: 'rtsp://192.0.2.1/1' }],
    [{ deviceSerial: 'EDGE0001', deviceName: 'Edge' }],
    [{ deviceName: 'Edge' }],
  ])('refuses %j', async (input) => expect((await operator.call('device/add', input)).code).toBe(1003));
});
