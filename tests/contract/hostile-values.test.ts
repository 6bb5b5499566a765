// Hostile values of valid shape: control characters, numbers beyond a column, javascript: addresses, prototype keys, patterns.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '@vedette/contract/call.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { z } from 'zod';
import { pathsOutside } from '../abuse/corpora/paths-outside.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { goodInputs } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stage: InputFixture;
const JSON_TYPE = { 'content-type': 'application/json' };
const paths = Object.keys(goodInputs) as CallPath[];

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, operator, site);
  // As the real site answers what is no address.
  site.refusals.set('probe', { code: 1003, data: { target: 'format' } });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const outside = mkdtempSync(join(tmpdir(), 'vedette-outside-'));
const canaryFile = join(outside, 'canary');
const CANARY = 'only outside of every folder of the product';
writeFileSync(canaryFile, CANARY);
afterAll(() => rmSync(outside, { recursive: true, force: true }));
const OUTSIDE = pathsOutside(canaryFile);

const TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202eevil',
  '👩‍👩‍👧‍👦',
  "'; drop table account; --",
  '%_\\',
  '\uffff',
  '../../x',
];
const NUMBERS = [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 8.64e15 + 1, 1e300, -0];

interface Hostile {
  readonly field: string;
  readonly value: unknown;
}

interface TextField {
  readonly field: string;
  readonly isList: boolean;
}

function textFields(declaration: Call): TextField[] {
  return hostile(declaration)
    .filter(({ value }) => value === TEXTS[0] || (Array.isArray(value) && value[0] === TEXTS[0]))
    .map(({ field, value }) => ({ field, isList: Array.isArray(value) }));
}

function hostile(declaration: Call): Hostile[] {
  const schema = z.toJSONSchema(declaration.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string; items?: { type?: string } }>;
  };
  return Object.entries(schema.properties ?? {}).flatMap(([field, { type, items }]): Hostile[] => {
    if (type === 'string') return TEXTS.map((value) => ({ field, value }));
    if (type === 'integer' || type === 'number') return NUMBERS.map((value) => ({ field, value }));
    return type === 'array' && items?.type === 'string' ? TEXTS.map((value) => ({ field, value: [value] })) : [];
  });
}

const NO_ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://example.org/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'about:blank',
  'view-source:https://example.org',
  'ftp://example.org/x',
  'gopher://example.org/x',
  'jar:https://example.org!/x',
  'ws://example.org',
  '//evil.example',
  '\\\\evil.example\\x',
];

describe('[SE-96] [GO-17] [GO-14] (ZoneMinder GHSA-28mv) a hostile value', () => {
  it.each(paths)('in any field of %s is refused or accepted, and nothing fails', async (path) => {
    const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
    for (const { field, value } of hostile(calls[path])) {
      const input = { ...(goodInputs[path](stage) as object), [field]: value };
      const { code } = await caller.raw(path, input);
      expect(code, `${path} with ${field} = ${JSON.stringify(value)}\n${server.log.at(-1)}`).not.toBe(1000);
    }
  });
});

describe('[GO-15] [SE-75] a path that leads outside', () => {
  /** Each payload in each field: in a long run alone. */
  const perField = isLongRun ? OUTSIDE.length : 1;
  it.each(paths.map((path, at) => ({ path, at })))('in any field of $path leaves what is outside as it was', async ({
    path,
    at,
  }) => {
    const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
    for (const [no, { field, isList }] of textFields(calls[path]).entries()) {
      for (let turn = 0; turn < perField; turn += 1) {
        // One after another, so that a run has all of them many times.
        const text = OUTSIDE[((at + no) * perField + turn) % OUTSIDE.length] ?? '';
        const input = { ...(goodInputs[path](stage) as object), [field]: isList ? [text] : text };
        const answer = await caller.raw(path, input);
        const where = `${path} with ${field} = ${JSON.stringify(text)}`;
        expect(answer.code, where).not.toBe(1000);
        expect(JSON.stringify(answer), where).not.toContain(CANARY);
      }
    }
    expect(readdirSync(outside)).toEqual(['canary']);
    expect(readFileSync(canaryFile, 'utf8')).toBe(CANARY);
  });
});

describe('[SE-88] javascript: addresses', () => {
  it('are refused wherever an address is accepted', async () => {
    const { config, version } = await operator.ok('system/account/get', {});
    const account = (change: object) =>
      operator.raw('system/account/set', { config: { ...config, ...change }, version });
    const outside = {
      kind: 'outside',
      appId: 'a',
      verifyUrl: 'https://example.org/v',
      scriptUrl: 'https://example.org/s',
    };
    const document = { kind: 'privacy', language: 1, isNoBrand: false };
    const channel = (kind: string, settings: object) =>
      operator.raw('alarm/channel/save', { kind, name: 'Hook', isEnabled: true, settings });
    const fields: Record<string, (url: string) => Promise<{ code: number }>> = {
      document: (url) => account({ documentList: [{ ...document, url }] }),
      sms: (url) => account({ sms: { url } }),
      captchaScript: (scriptUrl) => account({ captcha: { ...outside, scriptUrl } }),
      captchaVerdict: (verifyUrl) => account({ captcha: { ...outside, verifyUrl } }),
      avatar: (avatar) => operator.raw('account/update', { avatar }),
      webhook: (url) => channel('webhook', { url }),
      slack: (url) => channel('slack', { url }),
      ntfy: (url) => channel('ntfy', { url }),
      telegram: (url) => channel('telegram', { chatId: '1', token: 't', url }),
      mqttOut: (url) => channel('mqtt', { url }),
      mqttIn: (url) =>
        operator.raw('event/mqtt/set', { mqtt: { url, user: '', topic: 'frigate', cameraList: [] }, version: 0 }),
    };
    for (const [field, send] of Object.entries(fields)) {
      for (const url of NO_ADDRESSES) {
        expect((await send(url)).code, `${field} took ${JSON.stringify(url)}`).toBe(1003);
      }
    }
    expect((await operator.ok('system/account/get', {})).version).toBe(version);
  });
});

describe('[SE-93] keys and patterns', () => {
  it('refuses prototype keys in bodies, nested objects and the query', async () => {
    const login = { account: 'partner', password: 'Wrong-1', browserId: 'b', clientType: 'web' };
    const sends = [
      `{"__proto__":{"isAdmin":true},${JSON.stringify(login).slice(1)}`,
      `{"constructor":{"prototype":{"isAdmin":true}},${JSON.stringify(login).slice(1)}`,
      JSON.stringify({ ...login, prototype: {} }),
    ];
    for (const body of sends) {
      const answer = await server.send({ method: 'POST', path: '/api/v1/account/login', headers: JSON_TYPE, body });
      expect(JSON.parse(answer.body), body).toMatchObject({ code: 1003 });
    }
    const deep = '{"name":"a","split":4,"tiles":[{"position":0,"__proto__":{"deviceSerial":"x"}}]}';
    const headers = { ...JSON_TYPE, authorization: `Bearer ${operator.accessToken}` };
    const answer = await server.send({ method: 'POST', path: '/api/v1/layout/save', headers, body: deep });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 1003 });
    const path = '/api/v1/server/version?__proto__[isAdmin]=1&constructor[prototype][isAdmin]=1';
    const asked = await server.send({ method: 'POST', path, headers: JSON_TYPE, body: '{}' });
    expect(JSON.parse(asked.body)).toMatchObject({ code: 200 });
    expect((await operator.ok('account/info', {})).userType).toBe(0);
  });

  it('treats a search word as text: a catastrophic pattern answers like any other', async () => {
    const bombs = [
      '(a+)+$',
      '(.*)*x',
      '([a-zA-Z]+)*',
      '%'.repeat(64),
      '_'.repeat(64),
      '\\'.repeat(63),
      `${'a%'.repeat(31)}!`,
    ];
    const searches: ((keyWord: string) => Promise<{ code: number; data: { total: number } }>)[] = [
      (keyWord) => operator.call('org/search', { keyWord }),
      (keyWord) => operator.call('device/list', { keyWord }),
      (keyWord) => operator.call('user/list', { keyWord }),
      (keyWord) => operator.call('share/device/list', { keyWord }),
      (groupName) => operator.call('group/list', { groupName }),
      (userName) => operator.call('audit/list', { userName }),
    ];
    for (const search of searches) {
      const timed = async (word: string) => {
        const startedAt = performance.now();
        expect(await search(word), word).toMatchObject({ code: 200, data: { total: 0 } });
        return performance.now() - startedAt;
      };
      const plain = await timed('nothing is called so');
      const longest = Math.max(...(await Promise.all(bombs.map(timed))));
      // A pattern that runs away takes seconds; the machine may be busy.
      expect(longest).toBeLessThan(50 * plain + 1000);
    }
  });
});

it('[GO-17] none of it caused an error in the log', () => {
  expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});
