// `npm run release`: runs release/main-release.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('release/main-release.js');
