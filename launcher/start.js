// `npm start`: runs on Node 20 or newer before anything is installed, then runs main-launcher.js on the pinned Node.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-launcher.js');
