// `npm run package:deb`: runs packaging/main-package-deb.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('packaging/main-package-deb.js');
