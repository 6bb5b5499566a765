// `npm run --silent sbom`: prints the list of every shipped package as CycloneDX.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap/install.js';

/**
 * @typedef {{ 'bom-ref': string, properties?: { name: string, value: string }[] }} Component
 * @typedef {{ metadata: { component: { name: string } }, components: Component[], dependencies: { ref: string, dependsOn: string[] }[] }} Bill
 */

// Not `--omit dev`: npm 11 then leaves out each package that a tool of development needs too, `ws` and `zod` among them.
const { status, stdout, error } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (error || status !== 0) {
  process.stderr.write(`sbom: npm gave no list (${error?.message ?? `code ${status}`})\n`);
  process.exit(1);
}
process.stdout.write(`${JSON.stringify(shipped(JSON.parse(stdout)), null, 2)}\n`);

/** @param {Bill} bill */
function shipped(bill) {
  const components = bill.components.filter((one) => !isOfDevelopment(one));
  const kept = new Set(components.map((one) => one['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref) || !bill.components.some((one) => one['bom-ref'] === ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm names it after the folder of the clone.
  const { name } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const metadata = { ...bill.metadata, component: { ...bill.metadata.component, name } };
  return { ...bill, metadata, components, dependencies };
}

/** @param {Component} component */
function isOfDevelopment({ properties = [] }) {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}
