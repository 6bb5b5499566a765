// `npm run package:image`: runs packaging/main-package-image.js on the pinned Node, installing what is missing.

import { runPinned } from './bootstrap/bootstrap.js';

await runPinned('packaging/main-package-image.js');
