// `npm run analyst:install`: runs analyst/main-install-analyst.js on the pinned Node.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('analyst/main-install-analyst.js');
