// `npm run check`: hands over to check/main-check.js on the pinned Node.

import { runPinned } from './bootstrap.js';

await runPinned('check/main-check.js');
