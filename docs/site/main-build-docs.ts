// npm run docs:site: builds the documentation site into ./dist/docs, or into the folder that is named, and fails where a link leads nowhere.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { productVersion } from '../../launcher/core/product-version.js';
import { buildSite } from './build-site.ts';

const root = path.resolve(import.meta.dirname, '../..');
const target = path.resolve(process.argv[2] ?? path.join(root, 'dist/docs'));
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const report = await buildSite({ root, target, version: productVersion(root) });
process.stdout.write(`${JSON.stringify({ event: 'built', folder: target, ...report })}\n`);
