// Runs one TypeScript file of ours on the pinned Node, installing first when needed: `node launcher/run.js bench/ingest.ts`.

import path from 'node:path';
import { runPinned } from './bootstrap/bootstrap.js';

const [file = ''] = process.argv.splice(2, 1);
await runPinned(path.join('..', file));
