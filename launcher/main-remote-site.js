// Composition root of a remote site for `npm run site`.

import { remoteSiteUsage, readRemoteSiteOptions } from './options/remote-site-options.js';
import { runCommand, runRemoteSite } from './installation/run-installation.js';

process.exitCode = await runCommand(process.argv.slice(2), runRemoteSite, {
  read: readRemoteSiteOptions,
  usage: remoteSiteUsage,
});
