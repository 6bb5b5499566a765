// `npm run backup`: runs main-backup.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-backup.js');
