// The single process of a remote site: no database, no server and no port of its own.

import { describeChild } from './children.js';
import { finishKeyChangeAtStart } from '../master-key/finish-at-start.js';
import { ensureMasterKey } from '../data/master-key.js';
import { openOrphanRegistry } from '../process/orphan-registry.js';
import { SupervisedProcess } from '../process/supervised-process.js';

/**
 * @typedef {object} RemoteSiteInstallationDeps
 * @property {string} root
 * @property {string} node
 * @property {Record<string, string | undefined>} env
 * @property {import('../options/remote-site-options.js').RemoteSiteOptions} options
 * @property {string} runFolder
 * @property {{ say: (text: string) => void, child: (name: string) => (line: string) => void }} log
 */

export class RemoteSiteInstallation {
  /** @type {RemoteSiteInstallationDeps} */ #deps;
  /** @type {ReturnType<typeof openOrphanRegistry>} */ #leftovers;
  /** @type {SupervisedProcess | null} */ #site = null;
  /** @type {Promise<void> | null} */ #ended = null;

  /** @param {RemoteSiteInstallationDeps} deps */
  constructor(deps) {
    this.#deps = deps;
    this.#leftovers = openOrphanRegistry(deps.runFolder);
  }

  /** @returns {Promise<{ event: 'ready', server: string | null }>} */
  async start() {
    const { options, env, log, root, node, runFolder } = this.#deps;
    if ((await this.#leftovers.endOld()) > 0) log.say('ended processes that a killed run had left behind');
    ensureMasterKey(options.data, env['VEDETTE_KEY']);
    await finishKeyChangeAtStart({ root, node, env, data: options.data, databaseUrl: null, say: log.say });
    const surroundings = { root, node, env, data: options.data, run: runFolder, logLevel: options.logLevel };
    this.#site = new SupervisedProcess({
      name: 'site',
      log: log.child('site'),
      describe: () => describeChild('site', surroundings, this.#own()),
      onPid: (pid) => this.#leftovers.note('site', pid),
    });
    await this.#site.start();
    log.say(options.server === null ? 'the site runs' : `the site runs and dials ${options.server}`);
    return { event: /** @type {const} */ ('ready'), server: options.server };
  }

  end() {
    this.#ended ??= this.#site?.end() ?? Promise.resolve();
    return this.#ended;
  }

  get isEnding() {
    return this.#ended !== null;
  }

  kill() {
    this.#site?.kill();
  }

  /** @returns {Record<string, string | undefined>} */
  #own() {
    const { options, env } = this.#deps;
    const given = {
      VEDETTE_SERVER: options.server ?? undefined,
      VEDETTE_SITE_SERIAL: options.serial,
      VEDETTE_SITE_CODE: options.code,
      VEDETTE_SITE_AUTHORITY: options.authority,
    };
    return {
      VEDETTE_FAR: '1',
      VEDETTE_KEY: env['VEDETTE_KEY'],
      VEDETTE_DISCOVERY: env['VEDETTE_DISCOVERY'],
      VEDETTE_ANALYST: env['VEDETTE_ANALYST'],
      ...(options.server !== null && given),
    };
  }
}
