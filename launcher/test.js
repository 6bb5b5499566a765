// `npm test`: hands over to test/main-test.js on the pinned Node, after installing what is missing.

import { runPinned } from './bootstrap.js';

await runPinned('test/main-test.js');
