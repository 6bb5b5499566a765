// The dependency-rule check itself: red for a planted forbidden import, green for a clean tree, red for a blind run.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkArrows } from '../../launcher/check/arrows.js';

const tools = new URL('../../', import.meta.url).pathname;

/** Rule, file that breaks it, what that file imports. */
const forbidden = /** @type {const} */ ([
  ['arrow-contract', 'contract/a.ts', '../rules/decide.ts'],
  ['arrow-bridge', 'bridge/a.ts', '../rules/decide.ts'],
  ['arrow-rules', 'rules/a.ts', '../server/x.ts'],
  ['arrow-phrases', 'phrases/a.ts', '../rules/decide.ts'],
  ['arrow-protocols', 'protocols/rtsp/a.ts', '../../contract/words.ts'],
  ['arrow-drivers', 'drivers/rtsp/a.ts', '../../media/x.ts'],
  ['arrow-media', 'media/live/a.ts', '../../server/x.ts'],
  ['arrow-site', 'site/a.ts', '../server/x.ts'],
  ['arrow-gateway', 'gateway/a.ts', '../site/x.ts'],
  ['arrow-server', 'server/a.ts', '../site/x.ts'],
  ['arrow-player', 'player/a.ts', '../console/x.ts'],
  ['arrow-console', 'console/a.ts', '../server/x.ts'],
  ['arrow-virtual-devices', 'virtual-devices/a.ts', '../media/x.ts'],
  ['arrow-launcher', 'launcher/a.js', '../rules/decide.ts'],
  ['packages-contract', 'contract/a.ts', 'fastify'],
  ['packages-rules', 'rules/a.ts', 'zod'],
  ['packages-gateway', 'gateway/a.ts', 'pino'],
  ['packages-protocols', 'protocols/rtsp/a.ts', 'ws'],
  ['pure-rules', 'rules/a.ts', 'node:fs'],
  ['pure-console', 'console/a.ts', 'node:path'],
  ['features-meet-through-facts', 'server/features/a/a.ts', '../b/b.service.ts'],
  ['driver-knows-no-other', 'drivers/rtsp/a.ts', '../onvif/b.ts'],
  ['server-sees-driver-addresses-only', 'server/a.ts', '../drivers/registry.ts'],
  ['driver-addresses-are-pure', 'drivers/rtsp/rtsp-addresses.ts', 'node:net'],
  ['main-is-imported-by-nobody', 'site/a.ts', './main-site.ts'],
  ['screen-knows-no-other', 'console/screens/live/a.tsx', '../devices/b.tsx'],
  ['features-below-screens', 'console/features/tree/a.tsx', '../../screens/devices/b.tsx'],
  ['ui-knows-no-product', 'console/ui/a.tsx', '../session/b.ts'],
  ['media-imports-no-driver-code', 'media/source/a.ts', '../../drivers/kit/b.ts'],
  ['nothing-needs-tests', 'server/a.ts', './clock.fake.ts'],
  ['resolvable', 'site/a.ts', './nothing.ts'],
]);

/** @type {string[]} */
const trees = [];
afterAll(() => trees.forEach((tree) => fs.rmSync(tree, { recursive: true })));

/** @param {Record<string, string>} files more than the two of every tree */
async function check(files) {
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-arrows-')));
  trees.push(tree);
  fs.symlinkSync(path.join(tools, 'node_modules'), path.join(tree, 'node_modules'));
  const base = {
    'contract/words.ts': "import { z } from 'zod';\nexport const word = z.string();",
    'rules/decide.ts': "import { word } from '../contract/words.ts';\nexport const decide = word;",
  };
  for (const [name, text] of Object.entries({ ...base, ...files })) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    fs.writeFileSync(path.join(tree, name), `${text}\n`);
  }
  return checkArrows({ tree, tools, node: process.execPath });
}

/** @param {string} target relative to the file that imports it */
const using = (target) => `import { x } from '${target}';\nexport const y = x;`;

/** Every forbidden import at once, each in a file of its own. */
function allForbidden() {
  /** @type {Record<string, string>} */
  const files = {};
  forbidden.forEach(([rule, from, to], index) => {
    files[numbered(from, index)] = using(to);
    if (to.startsWith('.') && rule !== 'resolvable') files[path.join(path.dirname(from), to)] ??= 'export const x = 1;';
  });
  delete files['rules/decide.ts'];
  return files;
}

/**
 * @param {string} file
 * @param {number} index
 */
const numbered = (file, index) => file.replace(/\/a\./, `/planted-${index}.`);

it('is green on a clean tree, having read its files and imports', async () => {
  expect(await check({})).toEqual({ seen: 2, imports: 1, violations: [] });
});

describe('a planted forbidden import turns it red', () => {
  /** @type {string[]} */
  let violations = [];
  beforeAll(async () => {
    violations = (await check(allForbidden())).violations;
  });

  it.each(
    forbidden.map((row, index) => /** @type {const} */ ([...row, index])),
  )('%s: %s must not import %s', (rule, from, _to, index) => {
    expect(violations.some((line) => line.startsWith(`${rule}: ${numbered(from, index)} `))).toBe(true);
  });
});

it('no-cycle: two files must not import each other, not even types', async () => {
  const { violations } = await check({
    'site/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;",
    'site/b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;",
  });
  expect(violations.some((line) => line.startsWith('no-cycle'))).toBe(true);
});

it('allows features to import facts, and media the types of the driver kit', async () => {
  const { violations } = await check({
    'server/features/a/a.ts': using('../b/b.facts.ts'),
    'server/features/b/b.facts.ts': 'export const x = 1;',
    'media/source/a.ts': "import type { x } from '../../drivers/kit/b.ts';\nexport type Y = typeof x;",
    'drivers/kit/b.ts': 'export const x = 1;',
  });
  expect(violations).toEqual([]);
});

it('is red when the tool follows no import at all', async () => {
  const { violations } = await check({ 'rules/decide.ts': 'export const decide = 1;' });
  expect(violations.join()).toContain('blind');
});
