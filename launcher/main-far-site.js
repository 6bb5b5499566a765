// Composition root of a remote site for `npm run site`.

import { farUsage, readFarOptions } from './far-options.js';
import { runCommand, runFarSite } from './run-installation.js';

process.exitCode = await runCommand(process.argv.slice(2), runFarSite, { read: readFarOptions, usage: farUsage });
