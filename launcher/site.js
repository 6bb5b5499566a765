// `npm run site`: a site far from its server; runs on Node 20 or newer before anything is installed, as `npm start` does.

import { runPinned } from './bootstrap.js';

await runPinned('main-far-site.js');
