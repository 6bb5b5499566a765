// `npm run master-key`: runs main-master-key.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-master-key.js');
