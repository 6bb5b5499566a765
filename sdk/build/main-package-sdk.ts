// npm run package:sdk [-- FOLDER]: makes the npm packages that others build on, as tarballs in FOLDER, else in dist/.
import { join, resolve } from 'node:path';
import { packageAll } from './package-all.ts';

const root = join(import.meta.dirname, '..', '..');
const into = resolve(process.argv[2] ?? join(root, 'dist'));
for (const file of Object.values(await packageAll({ root, into }))) process.stdout.write(`${file}\n`);
