// `npm run dev`: runs dev/main-dev.js on the pinned Node.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('dev/main-dev.js');
