// `npm run site`: a remote site; runs on Node 20 or newer before anything is installed, like `npm start`.

import { runPinned } from './bootstrap.js';

await runPinned('main-far-site.js');
