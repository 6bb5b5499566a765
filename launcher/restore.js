// `npm run restore`: runs main-restore.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-restore.js');
