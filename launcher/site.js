// `npm run site`: a remote site; runs on Node 20 or newer before anything is installed, like `npm start`.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('main-remote-site.js');
