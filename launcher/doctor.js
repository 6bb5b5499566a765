// `npm run doctor`: runs doctor/main-doctor.js on the pinned Node.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('doctor/main-doctor.js');
