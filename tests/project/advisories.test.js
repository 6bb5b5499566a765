// The advisories check with planted npm answers; and the component list of `npm run sbom`.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptedAdvisories } from '../../launcher/check/advisories/accepted-advisories.js';
import { checkAdvisories } from '../../launcher/check/advisories/check-advisories.js';

const root = new URL('../../', import.meta.url).pathname;
const TODAY = '2026-11-24';
/** @type {string} */
let folder;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-advisories-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** @param {string} severity @param {string} [id] */
function advisory(severity, id = 'GHSA-aaaa-bbbb-cccc') {
  const url = `https://advisories.example/${id}`;
  return { source: 1, name: 'inner', dependency: 'inner', title: 'Too much trust', url, severity, range: '<2.0.0' };
}

/** @param {unknown[]} via what stands at the package itself */
function report(...via) {
  return {
    auditReportVersion: 2,
    vulnerabilities: {
      inner: { name: 'inner', severity: 'high', isDirect: false, via, effects: ['outer'], range: '<2.0.0', nodes: [] },
      outer: { name: 'outer', severity: 'high', isDirect: true, via: ['inner'], effects: [], range: '*', nodes: [] },
    },
  };
}

/**
 * Runs the check with a program in npm's place that gives the answers in turn, the last one for ever.
 * @param {(object | string)[]} answers
 * @param {{ accepted?: typeof acceptedAdvisories, env?: Record<string, string>, code?: number }} [options]
 */
async function checked(answers, { accepted = [], env = {}, code = 1 } = {}) {
  const place = fs.mkdtempSync(path.join(folder, 'npm-'));
  const texts = answers.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  for (const [index, text] of texts.entries()) fs.writeFileSync(path.join(place, String(index)), text);
  const npm = path.join(place, 'npm');
  const last = texts.length - 1;
  fs.writeFileSync(
    npm,
    `#!/bin/sh\ncd '${place}'\necho "$*" >> asked\nn=$(($(wc -l < asked) - 1))\n[ $n -gt ${last} ] && n=${last}\ncat $n\nexit ${code}\n`,
    { mode: 0o755 },
  );
  const verdict = await checkAdvisories({
    tree: root,
    accepted,
    npm,
    today: TODAY,
    env: { PATH: process.env['PATH'], ...env },
  });
  return { ...verdict, asked: fs.readFileSync(path.join(place, 'asked'), 'utf8').trim().split('\n') };
}

const refused = { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } };
const accepted = { id: 'GHSA-aaaa-bbbb-cccc', package: 'inner', reason: 'that part is not used', until: TODAY };

describe('advisories', () => {
  it.each([
    'high',
    'critical',
  ])('one of severity %s is red and reported once, even for two packages', async (severity) => {
    const { ok, lines, asked } = await checked([report(advisory(severity))]);
    expect({ ok, lines }).toEqual({
      ok: false,
      lines: [`inner <2.0.0: ${severity}, GHSA-aaaa-bbbb-cccc Too much trust`],
    });
    expect(asked).toEqual([expect.stringContaining('audit --omit=dev --json')]);
  });

  it.each(['moderate', 'low', 'info'])('one of severity %s is not red', async (severity) => {
    expect(await checked([report(advisory(severity))])).toMatchObject({ ok: true, lines: [] });
  });

  it('an empty answer is green', async () => {
    expect(await checked([{ auditReportVersion: 2, vulnerabilities: {} }], { code: 0 })).toMatchObject({
      ok: true,
      lines: [],
    });
  });

  it('an accepted one is green until its date, alone or not', async () => {
    expect(await checked([report(advisory('high'))], { accepted: [accepted] })).toMatchObject({ ok: true, lines: [] });
    const both = await checked([report(advisory('high'), advisory('high', 'GHSA-other'))], { accepted: [accepted] });
    expect(both).toMatchObject({ ok: false, lines: [expect.stringContaining('GHSA-other')] });
    for (const until of ['2026-11-23', 'some day']) {
      const late = await checked([report(advisory('high'))], { accepted: [{ ...accepted, until }] });
      expect(late).toMatchObject({ ok: false, lines: [expect.stringContaining(`accepted until ${until}`)] });
    }
    const elsewhere = await checked([report(advisory('high'))], { accepted: [{ ...accepted, package: 'outer' }] });
    expect(elsewhere.ok).toBe(false);
  });

  it('an accepted one that is gone is reported, and its date counts even without an answer', async () => {
    const gone = await checked([report()], { accepted: [accepted], code: 0 });
    expect(gone).toMatchObject({ ok: true, lines: ['inner GHSA-aaaa-bbbb-cccc: accepted, but no longer needed'] });
    expect(await checked([refused], { accepted: [{ ...accepted, until: '2020-01-01' }] })).toMatchObject({ ok: false });
  });

  it.each([
    ['a registry without advisories', refused, '405'],
    ['no network', { error: { code: 'ENOTFOUND', summary: 'getaddrinfo', detail: '' } }, 'ENOTFOUND'],
    ['an answer that was cut off', '{"auditRep', 'npm gave no report'],
    ['nothing', '', 'npm gave no report'],
  ])('%s is reported and not red', async (_, answer, said) => {
    const { ok, isAnswered, lines, asked } = await checked([answer]);
    expect({ ok, isAnswered, asked: asked.length }).toEqual({ ok: true, isAnswered: false, asked: 1 });
    expect(lines).toEqual([expect.stringMatching(`^advisories were not checked: .*${said}`)]);
  });

  it('a missing npm is reported and not red', async () => {
    const verdict = await checkAdvisories({ tree: root, accepted: [], npm: path.join(folder, 'none'), env: {} });
    expect(verdict).toEqual({
      ok: true,
      isAnswered: false,
      lines: ['advisories were not checked: npm gave no report'],
    });
  });

  it('under CI it retries once, and takes the second answer', async () => {
    const twice = await checked([refused, report(advisory('high'))], { env: { CI: 'true' } });
    expect([twice.ok, twice.asked.length]).toEqual([false, 2]);
    const never = await checked([refused], { env: { CI: 'true' } });
    expect([never.ok, never.asked.length]).toEqual([true, 2]);
  });

  it.each([
    ['a later form', { auditReportVersion: 3, findings: [] }],
    ['packages without their advisories', { auditReportVersion: 2, vulnerabilities: { inner: { severity: 'high' } } }],
    ['no form at all', {}],
  ])('%s is red: a check that reads nothing would always be green', async (_, answer) => {
    expect((await checked([answer])).ok).toBe(false);
  });

  it('each accepted one has a reason and a date', () => {
    for (const { id, package: name, reason, until } of acceptedAdvisories) {
      expect([id, name, reason.length > 20, /^\d{4}-\d{2}-\d{2}$/.test(until)]).toEqual([id, name, true, true]);
    }
  });
});

it('[GO-23] npm run sbom writes CycloneDX with every shipped package, and no development package', () => {
  const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' });
  const bill = JSON.parse(stdout);
  expect([bill.bomFormat, bill.metadata.component.purl]).toEqual([
    'CycloneDX',
    expect.stringMatching(/^pkg:npm\/vedette@/),
  ]);
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const listed = new Map(bill.components.map((/** @type {any} */ one) => [one.name, one]));
  expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([]);
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const shipped = Object.keys(packages).filter((place) => place.startsWith('node_modules/') && !packages[place].dev);
  const names = shipped.map((place) => place.split('node_modules/').at(-1) ?? '');
  // A package for another kind of machine is not installed, and those of our own rooms stand under their short names.
  const isHere = (/** @type {string} */ name) => fs.existsSync(path.join(root, 'node_modules', name, 'package.json'));
  const missing = names.filter((name) => isHere(name) && !name.startsWith('@vedette/') && !listed.has(name));
  expect({ missing, isEnough: names.length > 100 }).toEqual({ missing: [], isEnough: true });
  // Types of others are packages that a shipped one asks for beside it.
  const tools = Object.keys(devDependencies).filter((name) => packages[`node_modules/${name}`]?.dev);
  expect(tools).toContain('vitest');
  expect(tools.filter((name) => listed.has(name))).toEqual([]);
  expect(listed.get('fastify')).toMatchObject({ version: dependencies['fastify'], hashes: [{ alg: 'SHA-512' }] });
});
