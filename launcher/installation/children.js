// Commands and environments of the child processes.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { allocators, gatewayFlags, serverFlags } from './heap-flags.js';
import { serverThreads } from './server-runtime.js';
import { siteFlags, siteThreads } from './site-runtime.js';

/**
 * @typedef {object} Surroundings
 * @property {string} root of the clone
 * @property {string} node the pinned Node
 * @property {string} data
 * @property {string} run folder of sockets
 * @property {string} logLevel
 * @property {Record<string, string | undefined>} env of the launcher
 */

/** Tests name stand-ins through the variables. */
const entries = {
  server: { file: 'server/main-server.ts', variable: 'VEDETTE_ENTRY_SERVER' },
  site: { file: 'site/main-site.ts', variable: 'VEDETTE_ENTRY_SITE' },
  'virtual-devices': { file: 'virtual-devices/main-virtual-devices.js', variable: 'VEDETTE_ENTRY_VIRTUAL_DEVICES' },
  gateway: { file: 'gateway/main-gateway.ts', variable: 'VEDETTE_ENTRY_GATEWAY' },
};

/** How Node runs each of them. */
const flags = { server: serverFlags, site: siteFlags, 'virtual-devices': [], gateway: gatewayFlags };

/** Passed on from the operator's environment; secrets and addresses are given to the one process that needs them. */
const inherited =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_[A-Z]+|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|OTEL_\w+|VEDETTE_TEST_\w+)$/;

/**
 * @param {keyof typeof entries} name
 * @param {Surroundings} surroundings
 * @param {Record<string, string | undefined>} own
 */
export function describeChild(name, surroundings, own) {
  const { root, node, data, run, logLevel, env } = surroundings;
  const { file, variable } = entries[name];
  const passed = Object.entries(env).filter(([key]) => inherited.test(key));
  const threads = threadsOf(name, env);
  // What the last start compiled serves this one.
  const cache = { NODE_COMPILE_CACHE: path.join(root, '.vedette', 'compile-cache') };
  const given = {
    ...threads,
    ...allocators[name],
    VEDETTE_DATA: data,
    VEDETTE_RUN: run,
    VEDETTE_LOG_LEVEL: logLevel,
    ...own,
  };
  const all = [...Object.entries(cache), ...passed, ...Object.entries(given)].filter((pair) => pair[1] !== undefined);
  return {
    command: node,
    args: [
      '--disable-warning=ExperimentalWarning',
      ...flags[name],
      ...importFlags(name, root, env['VEDETTE_IMPORT']),
      env[variable] ? path.resolve(root, env[variable]) : path.join(root, file),
    ],
    env: /** @type {Record<string, string>} */ (Object.fromEntries(all)),
    cwd: root,
  };
}

/**
 * @param {keyof typeof entries} name
 * @param {Record<string, string | undefined>} env of the launcher
 */
function threadsOf(name, env) {
  if (name === 'site') return { UV_THREADPOOL_SIZE: env['UV_THREADPOOL_SIZE'] ?? siteThreads };
  return name === 'server' ? { UV_THREADPOOL_SIZE: serverThreads } : {};
}

/**
 * A module of the operator's that each process of the product loads first, such as OpenTelemetry's: the name of a package, or a file.
 * @param {keyof typeof entries} name
 * @param {string} root of the clone
 * @param {string | undefined} wanted
 */
function importFlags(name, root, wanted) {
  if (!wanted || name === 'virtual-devices') return [];
  const isFile = path.isAbsolute(wanted) || wanted.startsWith('./') || wanted.startsWith('../');
  return ['--import', isFile ? pathToFileURL(path.resolve(root, wanted)).href : wanted];
}
