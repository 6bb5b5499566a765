// Composition root of `npm start`.

import { runCommand, runInstallation } from './installation/run-installation.js';

process.exitCode = await runCommand(process.argv.slice(2), (options) => runInstallation(options));
