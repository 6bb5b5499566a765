// The runtime of edge intelligence, which `npm test` installs.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder; a site finds it as `analyst` in its data folder, or by VEDETTE_ANALYST. */
export const analystRuntime = fileURLToPath(new URL('../../.vedette/analyst/', import.meta.url));
export const hasAnalystRuntime = existsSync(analystRuntime);
