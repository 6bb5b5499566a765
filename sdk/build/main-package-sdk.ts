// npm run package:sdk [-- FOLDER]: makes the npm packages that others build on, as tarballs in FOLDER, else in dist/.
import { join, resolve } from 'node:path';
import { packageClient } from './package-client.ts';
import { packagePlayer } from './package-player.ts';

const root = join(import.meta.dirname, '..', '..');
const into = resolve(process.argv[2] ?? join(root, 'dist'));
for (const make of [packageClient, packagePlayer]) process.stdout.write(`${await make({ root, into })}\n`);
