// Every call that needs a device, while no device ever answers: each says so within ten seconds, and those of others go on.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import type { SiteCallName } from '@vedette/contract/site/site.ts';
import { siteAnswers } from '@vedette/contract/site/site-answers.ts';
import { goodInputs } from './good-inputs.ts';
import { createInputFixture, type InputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const WITHIN_MS = 10_000;
/** What a site is asked on behalf of somebody who waits. */
const ASKED = [
  'probe',
  'reboot',
  'keyframe',
  'streams',
  'talk',
  'upgradeBegin',
  'outputSwitch',
  'recordings',
  'health',
  'configSections',
  'configRead',
  'configWrite',
  'formatStart',
  'ptzStart',
  'ptzStop',
  'presets',
  'patrols',
] as readonly SiteCallName[];
const TOPICS = /^(?:device|channel|config|media|stream|keyframe|ptz|preset|patrol|talk|record|capture|system|nat)\//;
/** They end what the others need, or start work that goes on without the caller. */
const APART = /^(?:device\/(?:delete|move|transfer.*|import.*|batch)|system\/restart)$/;
const paths = (Object.keys(goodInputs) as CallPath[]).filter((path) => TOPICS.test(path) && !APART.test(path));

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stage: InputFixture;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, operator, site);
  for (const name of Object.keys(siteAnswers) as SiteCallName[]) site.silent.add(name);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

it('answers every call within ten seconds, with the device as the reason where it is one', async () => {
  const codes = new Map<CallPath, number>();
  const late: string[] = [];
  await Promise.all(
    paths.map(async (path) => {
      const from = performance.now();
      const { code } = await operator.raw(path, goodInputs[path](stage) as Record<string, unknown>);
      codes.set(path, code);
      const tookMs = performance.now() - from;
      if (tookMs > WITHIN_MS || code === 1000) late.push(`${path} answered ${code} after ${Math.round(tookMs)} ms`);
    }),
  );
  expect(late).toEqual([]);
  expect(ASKED.filter((name) => !site.unanswered.includes(name))).toEqual([]);
  for (const path of ['device/probe', 'config/list', 'config/get', 'config/set', 'config/storage/format'] as const) {
    expect([path, codes.get(path)]).toEqual([path, 2317]);
  }
}, 60_000);
