// Tenant isolation: two tenants with equal objects under equal names; no call reads, changes or counts the other's, and deletion leaves nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { addedIdClaims, typeClaims, untakenClaims } from './claimed-fields.ts';
import { goodInputs } from './good-inputs.ts';
import type { InputFixture } from './inputs/input-fixture.ts';
import { CANARIES, createTwinTenant, type TwinTenant } from './inputs/twin-tenant.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let one: TwinTenant;
let other: TwinTenant;
/** What the first tenant read of everything before there was a second. */
let alone: Map<string, unknown>;

/** As it might end in a subject, a key, a path or a pattern. */
const WORD = `*./../#+%_\\'"$(id)`;
const paths = Object.keys(goodInputs) as CallPath[];
/** Of the installation, or of whoever asks and nobody's besides. */
const APART: readonly CallPath[] = ['account/captcha/get', 'server/version', 'token/check', 'nat/list', 'nat/factor'];
/** Each unknown code counts as a guess, and the answer tells how long the asker has to wait: oauth-abuse.test.ts. */
const GUESSED: readonly CallPath[] = ['oauth/device/get', 'oauth/device/confirm'];
const reads = paths.filter((path) => ['none', 'read'].includes(calls[path].audit) && isAsked(path));

function isAsked(path: CallPath): boolean {
  return calls[path].permission.kind !== 'public' && ![...APART, ...GUESSED].includes(path);
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 1_000_000, endTime: 1_060_000, recordType: 1 }];
  // The serials of the second begin like those of the first.
  one = await createTwinTenant(server, operator, site, { name: 'ann', host: '198.51.100.1', label: WORD });
  await restingAt(one);
  alone = await readAll(one);
  other = await createTwinTenant(server, operator, site, { name: 'anna', host: '198.51.100.12', label: WORD });
}, 240_000);
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

/** What goes on by itself is done: its answers change no more. */
async function restingAt({ client, fixture }: TwinTenant): Promise<void> {
  const states = async () => [
    (await client.ok('device/import/status', { task: fixture.importTask })).import?.state,
    (await client.ok('alarm/export/status', { task: fixture.alarmExportTask })).export.state,
    (await client.ok('record/export/status', { task: fixture.exportTask })).state,
  ];
  await waitFor('what was begun to be done', async () => (await states()).every((state) => state === 'finished'));
  const countedAlarms = async () => {
    const { figureList } = await client.ok('stat/overview', { range: 'week' });
    return figureList.find(({ figure }) => figure === 'alarms')?.value ?? 0;
  };
  // Statistics count what happened once a minute.
  await waitFor('its alarm to be counted', async () => (await countedAlarms()) > 0, 100_000);
}

/** Times and one-time words differ from call to call, and sessions stand in the order of their last use. */
function steady(value: unknown): unknown {
  const text = JSON.stringify(value, (key, held: unknown) => {
    if (key === 'sessionList' && Array.isArray(held))
      return held.toSorted((a, b) => (String(a.sessionId) < String(b.sessionId) ? -1 : 1));
    return typeof held === 'number' && held > 1_500_000_000_000 && held < 3_000_000_000_000 ? 'a time' : held;
  });
  return JSON.parse(text.replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'a secret'));
}

/** With all filters, and with none. */
async function readOne({ client, fixture }: TwinTenant, path: CallPath): Promise<[how: string, answer: unknown][]> {
  const full = goodInputs[path](fixture) as Record<string, unknown>;
  const bare = Object.fromEntries(Object.entries(full).filter(([field]) => isRequired(path, field)));
  const answers: [string, unknown][] = [];
  for (const [how, input] of Object.entries({ full, bare })) {
    const { code, data } = await client.raw(path, input);
    answers.push([how, steady({ code, data })]);
  }
  return answers;
}

/** All at once, a loaded machine answers some by 1012. */
const READS_AT_ONCE = 4;

async function readAll(twin: TwinTenant): Promise<Map<string, unknown>> {
  const places = new Semaphore({ places: READS_AT_ONCE });
  const all = await Promise.all(
    reads.map(async (path) => {
      const answers = await places.run(() => readOne(twin, path));
      return answers.map(([how, answer]) => [`${path} ${how}`, answer] as const);
    }),
  );
  return new Map(all.flat());
}

function isRequired(path: CallPath, field: string): boolean {
  const { shape } = calls[path].input as unknown as {
    shape?: Record<string, { safeParse: (v: unknown) => { success: boolean } }>;
  };
  return shape?.[field]?.safeParse(undefined).success !== true;
}

/** Ids of the objects of a tenant: letters, digits, dashes. */
function idsOf({ fixture, userId }: TwinTenant): string[] {
  const common = ['local', server.dataFolder, fixture.setupSecret];
  const ids = Object.values(fixture).filter((value): value is string => typeof value === 'string' && value.length > 6);
  return [...new Set([userId, ...ids.filter((id) => !common.includes(id))])];
}

function mentions(text: string, ids: readonly string[]): string[] {
  return ids.filter((id) => new RegExp(`(?<![A-Za-z0-9_-])${id}(?![A-Za-z0-9_-])`).test(text));
}

describe('[SE-37] [SE-20] two tenants with equal data', () => {
  describe.each(reads)('%s', (path) => {
    it('get the same answers as before the other existed, and nothing of the other', async () => {
      for (const [twin, foreign] of [
        [one, other],
        [other, one],
      ] as const) {
        for (const [how, answer] of await readOne(twin, path)) {
          if (twin === one) expect(answer, how).toEqual(alone.get(`${path} ${how}`));
          expect(mentions(JSON.stringify(answer), idsOf(foreign)), how).toEqual([]);
        }
      }
    });
  });

  it('cover most kinds of objects', () => {
    const named = [...alone.values()].flatMap((answer) => mentions(JSON.stringify(answer), idsOf(one)));
    expect(new Set(named).size).toBeGreaterThan(15);
  });

  describe('an id of the other tenant in any field', () => {
    let before: Map<string, unknown>;
    let asked = 0;
    beforeAll(async () => {
      await restingAt(other);
      before = await readAll(other);
    }, 120_000);

    it.each(paths.filter(isAsked))('of %s is answered like a missing one', async (path) => {
      const input = goodInputs[path](one.fixture) as Record<string, unknown>;
      for (const [key, id] of namedIn(input)) {
        const foreign = String(other.fixture[key]);
        const given = await one.client.raw(path, replaced(input, id, foreign));
        const missing = await one.client.raw(path, replaced(input, id, 'x'.repeat(foreign.length)));
        expect(given.code, key).toBe(missing.code);
        const wrong = /\/(?:delete|save|update|revoke|cancel)$/.test(path) ? [200, 1000] : [1000];
        expect(wrong, key).not.toContain(given.code);
        expect(mentions(JSON.stringify(given.data), idsOf(other)), key).toEqual([]);
        asked += 1;
      }
    });

    it('changed nothing of the other tenant', async () => {
      expect(asked).toBeGreaterThan(80);
      for (const [call, answer] of await readAll(other)) expect(answer, call).toEqual(before.get(call));
    });
  });

  describe('[SE-24] a claim about type, owner or sharing', () => {
    let before: Map<string, unknown>;
    let [untaken, added, typed] = [0, 0, 0];
    beforeAll(async () => {
      await restingAt(other);
      before = await readAll(other);
    }, 120_000);

    it.each(paths)('that %s does not take is refused beside each object of the input', async (path) => {
      const asker = calls[path].permission.kind === 'public' ? server.client() : one.client;
      for (const { field, input } of untakenClaims(calls[path], goodInputs[path](one.fixture))) {
        expect([1002, 1003, 1004], field).toContain((await asker.raw(path, input)).code);
        untaken += 1;
      }
    });

    it.each(paths.filter(isAsked))('about objects of the other tenant opens nothing at %s', async (path) => {
      const good = goodInputs[path](one.fixture) as Record<string, unknown>;
      const given = addedIdClaims(calls[path], good, foreignIds(false));
      const missing = addedIdClaims(calls[path], good, foreignIds(true));
      for (const [index, { field, input }] of given.entries()) {
        await expectAsMissing(path, field, [input, missing[index]?.input]);
        added += 1;
      }
      for (const { field, input } of typeClaims(calls[path], good)) {
        for (const [key, id] of namedIn(good)) {
          const foreign = String(other.fixture[key]);
          const pair = [foreign, 'x'.repeat(foreign.length)].map((by) => replaced(input as object, id, by));
          await expectAsMissing(path, `${key} as ${field}`, pair);
          typed += 1;
        }
      }
    });

    it('changed nothing of the other tenant', async () => {
      expect([untaken > 2000, added > 10, typed > 100], `${untaken}, ${added}, ${typed}`).toEqual([true, true, true]);
      for (const [call, answer] of await readAll(other)) expect(answer, call).toEqual(before.get(call));
    });
  });

  it('[SE-84] neither tenant receives events of the other', async () => {
    const ears = await Promise.all([one, other].map((twin) => listen(twin.client)));
    await site.reportEvent(other.fixture.deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
    const at = Date.now();
    const seq = site.report({
      kind: 'deviceStatus',
      deviceSerial: other.fixture.deviceSerial,
      status: 1,
      reason: null,
      at,
    });
    await waitFor('the status', () => site.acknowledged.includes(seq));
    await waitFor('the twin to hear it', () => ears[1]?.heard.some((text) => text.includes('deviceStatus')));
    await site.reportEvent(one.fixture.deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
    await waitFor('the own alarm', () => ears[0]?.heard.some((text) => text.includes(one.fixture.deviceSerial)));
    expect(mentions(ears[0]?.heard.join('\n') ?? '', idsOf(other))).toEqual([]);
    for (const ear of ears) ear.close();
  });
});

async function listen(client: CallClient) {
  const heard: string[] = [];
  const socket = server.webSocket('/ws');
  socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
  await waitFor('the welcome', () => heard.length > 0);
  return { heard, close: () => socket.close() };
}

/** Fields of the stage whose value the input holds somewhere. */
function namedIn(input: object): [keyof InputFixture, string][] {
  const text = JSON.stringify(input);
  return (Object.entries(one.fixture) as [keyof InputFixture, unknown][]).filter(
    (entry): entry is [keyof InputFixture, string] => {
      const [key, value] = entry;
      const isId = typeof value === 'string' && value.length > 6 && !['dataFolder', 'setupSecret'].includes(key);
      return isId && value !== other.fixture[key] && text.includes(JSON.stringify(value));
    },
  );
}

/** By the name of the field that takes one: objects of the other tenant, or as many that are missing. */
function foreignIds(isMissing: boolean): Map<string, string> {
  const { fixture, userId } = other;
  const named = Object.entries(fixture).filter(([key, id]) => key.endsWith('Id') && String(id).length > 6);
  const { deviceSerial, organizationId, exportTask, ingestKeyId } = fixture;
  const more = {
    deviceSerial,
    parentOrgId: organizationId,
    moveTo: organizationId,
    task: exportTask,
    keyId: ingestKeyId,
  };
  const all = Object.entries({ ...Object.fromEntries(named), ...more, userId });
  return new Map(all.map(([name, id]) => [name, isMissing ? 'x'.repeat(String(id).length) : String(id)]));
}

async function expectAsMissing(path: CallPath, what: string, [given, missing]: readonly unknown[]): Promise<void> {
  const [answer, blank] = [await one.client.raw(path, given), await one.client.raw(path, missing)];
  expect(answer.code, what).toBe(blank.code);
  expect(answer.code, what).not.toBe(1000);
  expect(mentions(JSON.stringify(answer.data), idsOf(other)), what).toEqual([]);
}

function replaced(input: object, id: string, by: string): unknown {
  return JSON.parse(JSON.stringify(input).replaceAll(JSON.stringify(id), JSON.stringify(by)));
}

describe('[SE-41] the operator of the installation', () => {
  it('accesses nothing of a tenant: no video, no list, no organisation', async () => {
    for (const path of paths) {
      const { kind } = calls[path].permission;
      if (kind !== 'device' && kind !== 'organization') continue;
      const { code } = await operator.raw(path, goodInputs[path](other.fixture));
      expect([1007, 1009], `${path} answered ${code}`).toContain(code);
    }
    expect(site.ticketsOf(operator.accessToken ?? '')).toEqual([]);
    // What it did before was to offer the tenant devices of its own, which stands in the logs of both sides.
    const { auditList } = await other.client.ok('audit/list', { userName: 'operator', isRefused: false });
    expect(auditList.filter(({ call }) => call !== 'device/transfer')).toEqual([]);
  });
});

describe('[SE-38] names', () => {
  it('are data alone: keys, paths and subjects are made of ids', async () => {
    const keys = [...site.assigned.values()].flatMap(({ deviceSerial, channels }) => [
      deviceSerial,
      ...channels.map(({ channelId }) => channelId),
    ]);
    for (const key of [...keys, ...site.exports.keys(), ...site.tickets.keys()]) expect(key).toMatch(/^[\w-]+$/);
    expect(keys.length).toBeGreaterThan(10);
    for (const path of readdirSync(server.dataFolder, { recursive: true, encoding: 'utf8' })) {
      expect(path).toMatch(/^[\w./-]+$/);
    }
    const { deviceList } = await one.client.ok('device/list', { keyWord: WORD });
    expect(deviceList.map(({ deviceName }) => deviceName)).toEqual([WORD, WORD, WORD]);
    for (const keyWord of ['*', '%', '_', '.*', '%%', '\\']) {
      const found = await one.client.ok('device/list', { keyWord });
      expect([keyWord, found.total]).toEqual([keyWord, WORD.includes(keyWord) ? 3 : 0]);
    }
  });
});

describe('secrets and deletion', () => {
  /** Every row of every table, and every file that the server keeps. */
  async function everything(): Promise<Map<string, string>> {
    const tables = await runSql(
      server,
      "select table_name from information_schema.tables where table_schema = 'public'",
    );
    const kept = new Map<string, string>();
    for (const { table_name: table } of tables) {
      const rows = await runSql(server, `select coalesce(string_agg(t::text, chr(10)), '') as text from "${table}" t`);
      kept.set(String(table), String(rows[0]?.['text']));
    }
    for (const entry of readdirSync(server.dataFolder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) kept.set(entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    }
    return kept.set('log', server.log.join('\n'));
  }

  it('[SE-97] [SE-98] no secret is in a table, a file or the log', async () => {
    const tokens = [one, other].flatMap(({ client, fixture }) => [
      client.accessToken ?? '-',
      fixture.invitationToken,
      fixture.linkId,
    ]);
    for (const [place, text] of await everything()) {
      expect(
        [...CANARIES, ...tokens].filter((secret) => text.includes(secret)),
        place,
      ).toEqual([]);
    }
  });

  it('[SE-42] deleting a tenant removes it from every answer, table and file; the other keeps everything', async () => {
    const before = await readAll(one);
    const gone = idsOf(other);
    const ear = await listen(other.client);
    await operator.ok('user/delete', { userId: other.userId });
    await waitFor('its socket to end', () => ear.heard.some((text) => text.includes('"end"')));
    for (const [call, answer] of await readAll(one)) expect(answer, call).toEqual(before.get(call));
    expect((await other.client.call('token/check', {})).code).toBe(1001);
    await waitFor('its cameras to be let go', () => mentions([...site.assigned.keys()].join('\n'), gone).length === 0);
    for (const [place, text] of await everything()) {
      // The audit log can't be shortened; what others are told of endings is forgotten within the hour.
      if (['audit_log', 'revocation'].includes(place)) continue;
      expect(mentions(text, gone), place).toEqual([]);
    }
  });
});
