// `npm start`: runs on Node 20 or newer before anything is installed, then hands over to main-launcher.js on the pinned Node.

import { runPinned } from './bootstrap.js';

await runPinned('main-launcher.js');
