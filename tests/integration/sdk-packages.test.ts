// The npm packages for others as a stranger has them: installed from their tarballs, compiled against, and run in plain Node on a running product.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageAll } from '../../sdk/build/package-all.ts';
import { Product } from '../harness/product.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const ACCOUNT = ['operator', 'Watch-2026'] as const;

let folder: string;
let product: Product;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-stranger-'));
  const [started, tarballs] = await Promise.all([Product.start(), packageAll({ root: ROOT, into: folder })]);
  product = started;
  await product.setUp(...ACCOUNT);
  for (const [name, tarball] of Object.entries(tarballs)) {
    const installed = join(folder, 'node_modules', '@vedette', name);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', installed]);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterAll(async () => {
  await product?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Each expected error that does not come is an error itself. */
const TYPED = `
import { CallError, VedetteClient } from '@vedette/client';
const vedette = new VedetteClient({ url: 'http://localhost' });
const { deviceList } = await vedette.call('device/list', { keyWord: 'gate', pageSize: 10 });
const serials: readonly string[] = deviceList.map((device) => device.deviceSerial);
for await (const device of vedette.rows('device/list', {})) console.log(device.deviceName.length, serials.length);
vedette.listen({ onEvent: (event) => { if (event.kind === 'alarm') console.log(event.alarm.time + 1); } });
// @ts-expect-error: no call has this path
await vedette.call('device/lst', {});
// @ts-expect-error: the word to look for is text
await vedette.call('device/list', { keyWord: 1 });
// @ts-expect-error: a serial is needed
await vedette.call('device/delete', {});
// @ts-expect-error: devices have no such property
deviceList[0]?.colour;
// @ts-expect-error: not a list
vedette.rows('account/info', {});
console.log(new CallError('a', { code: 1, message: '', data: null }).code);
`;

const TYPED_PLAYER = `
import { type PlayerState, VedettePlayer } from '@vedette/player';
const player: VedettePlayer = document.createElement('vedette-player');
player.tokenSource = async () => 'token';
const state: PlayerState = player.state;
if (state.kind === 'denied') console.log(state.code === 1004);
player.startMove('left', 3);
const picture: Blob | null = await player.snapshot();
console.log(picture?.size, (player.currentTime ?? 0) + 1);
// @ts-expect-error: no camera moves that way
player.startMove('forward');
// @ts-expect-error: told by the player alone
player.state = state;
`;

const TYPED_BRIDGE = `
import { embedderTransport, shellPeer, TOPICS } from '@vedette/bridge';
const shell = shellPeer({
  transport: embedderTransport({ postMessage: () => undefined }, 'https://a.example'),
  handlers: {
    'account/status': ({ status }) => {
      console.log(status === 1);
      return {};
    },
    // @ts-expect-error: the page has no such topic
    'account/stat': () => ({}),
  },
});
const answer = await shell.ask('preset/list', { deviceSerial: 'D1', channelNo: 1 });
if (answer.code === 200) console.log(answer.data.presetList[0]?.name.length, TOPICS.web[0]?.url.length);
// @ts-expect-error: a channel is needed
await shell.ask('preset/list', { deviceSerial: 'D1' });
`;

it('are compiled against with all their types, without anything else of ours', () => {
  const files = Object.entries({ 'client.ts': TYPED, 'player.ts': TYPED_PLAYER, 'bridge.ts': TYPED_BRIDGE }).map(
    ([name, text]) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
  );
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The compiler's own files take longest, and are nobody's here.
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

const PROGRAM = `
import { CallError, NoAnswerError, VedetteClient } from '@vedette/client';
const [url, account, password] = process.argv.slice(2);
let token = null;
const vedette = new VedetteClient({ url, accessToken: () => token });
const codeOf = (call) => call.then(() => 200, (error) => (error instanceof CallError ? [error.code, error.reason] : error.name));
const said = {};
said.withoutToken = await codeOf(vedette.call('device/list', {}));
token = (await vedette.call('account/login', { account, password, browserId: 'stranger', clientType: 'web' })).accessToken;
said.unknownDevice = await codeOf(vedette.call('channel/list', { deviceSerial: 'unknown' }));
said.nobody = await codeOf(new VedetteClient({ url: 'http://127.0.0.1:1' }).call('device/list', {}));
for (const name of ['Harbour', 'North', 'South']) await vedette.call('org/add', { organizationName: name, parentOrgId: '0' });
said.organizations = [];
for await (const { organizationName } of vedette.rows('org/list', { pageSize: 2 })) said.organizations.push(organizationName);
const states = [];
await new Promise((heard) => {
  const stop = vedette.listen({
    onState: (state) => {
      states.push(state);
      if (state === 'online') void vedette.call('org/add', { organizationName: 'Heard', parentOrgId: '0' });
    },
    onEvent: (event) => {
      if (event.kind !== 'resourcesChanged') return;
      said.event = event.kind;
      stop();
      heard();
    },
  });
});
said.states = states;
said.ended = await new Promise((ended) => {
  vedette.listen({ onEvent: () => undefined, onEnd: ended, onState: (state) => state === 'online' && vedette.call('account/logout', {}) });
});
console.log(JSON.stringify(said));
`;

it('signs in, goes through a list, hears of changes and of its end, and names each refusal', async () => {
  const file = join(folder, 'program.js');
  writeFileSync(file, PROGRAM);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [file, product.url, ...ACCOUNT], { cwd: folder });
  const said = JSON.parse(stdout) as Record<string, unknown>;
  expect(said).toMatchObject({
    withoutToken: [1001, 'tokenInvalid'],
    unknownDevice: [1009, 'devNotExist'],
    nobody: 'NoAnswerError',
    event: 'resourcesChanged',
    states: ['connecting', 'online', 'idle'],
    ended: 1001,
  });
  expect(said['organizations']).toEqual(expect.arrayContaining(['Harbour', 'North', 'South']));
});

/** A page in a frame, and the page around it, without a browser. */
const BRIDGED = `
import { embedderTransport, pagePeer, pageTransport, refuse, shellPeer, TOPICS } from '@vedette/bridge';
const [server, portal] = ['https://video.example', 'https://portal.example'];
const parent = {};
const listeners = new Set();
const page = {
  self: {}, top: parent, parent,
  addEventListener: (_type, take) => listeners.add(take),
  removeEventListener: (_type, take) => listeners.delete(take),
};
const inside = pagePeer({
  transport: pageTransport(page, [portal]),
  handlers: {
    'language/get': () => ({ lang: 1 }),
    'theme/update': () => refuse(1004),
    'window/update': () => { throw new Error('a secret'); },
  },
});
const frame = {
  postMessage: (data, origin, ports) => {
    if (origin === server) for (const take of listeners) take({ source: parent, origin: portal, data, ports });
  },
};
const outside = shellPeer({
  transport: embedderTransport(frame, server),
  handlers: { 'system/info': ({ version }) => ({ bridge: 1, shell: { name: version, version: '1', platform: 'page' }, topics: [] }) },
});
const about = { bridge: { min: 1, max: 1 }, topics: [], version: '9', lang: 1 };
const said = {
  language: await outside.ask('language/get', {}),
  refused: await outside.ask('theme/update', { colour: '#fff' }),
  failed: await outside.ask('window/update', { window: 1 }),
  wrong: await outside.ask('live/start', { deviceSerial: 'D1', channelNo: 1, window: 0 }),
  notOffered: (await outside.ask('system/info', {})).code,
  info: (await inside.ask('system/info', about)).data.shell.name,
  urls: TOPICS.web.concat(TOPICS.cs).map(({ url }) => url),
};
inside.close();
outside.close();
console.log(JSON.stringify(said));
`;

it('the bridge joins a page and the page around it, in plain Node', async () => {
  const file = join(folder, 'bridged.js');
  writeFileSync(file, BRIDGED);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  const { urls, ...said } = JSON.parse(stdout) as { urls: string[] };
  expect(said).toEqual({
    language: { code: 200, data: { lang: 1 } },
    refused: { code: 1004, data: {} },
    failed: { code: 1012, data: {} },
    wrong: { code: 1003, data: { window: 'tooSmall' } },
    notOffered: 1006,
    info: '9',
  });
  const documented = readFileSync(join(ROOT, 'docs', 'bridge.md'), 'utf8').matchAll(/^### `(.+)`$/gmu);
  expect(urls.toSorted()).toEqual([...documented].map(([, url]) => url).toSorted());
});
