// `npm test`: runs test/main-test.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('test/main-test.js');
