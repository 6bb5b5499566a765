// `npm run database:upgrade`: runs main-database-upgrade.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-database-upgrade.js');
