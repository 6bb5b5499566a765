// `npm run check`: runs check/main-check.js on the pinned Node.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('check/main-check.js');
