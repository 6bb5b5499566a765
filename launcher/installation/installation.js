// The processes of one running Vedette: start order, configuration, and stop order.

import path from 'node:path';
import { Backups } from '../backup/backups.js';
import { backupKey, readMasterKey } from '../backup/recovery-key.js';
import { backUpBeforeUpgrade } from '../backup/upgrade-backup.js';
import { describeChild } from './children.js';
import { buildConsole } from './console-build.js';
import { demoSettings } from '../data/demo-settings.js';
import { finishKeyChangeAtStart } from '../master-key/finish-at-start.js';
import { ensureMasterKey } from '../data/master-key.js';
import { nodeAddressText } from '../options/node-address.js';
import { ownPorts } from '../options/ports.js';
import { findPostgres } from '../postgres/binaries.js';
import { clusterAddress, openCluster, spoolIsTaken, spoolOf } from '../postgres/cluster.js';
import { checkExternalDatabase } from '../postgres/database.js';
import { knownMigrations } from '../postgres/migrations.js';
import { openOrphanRegistry } from '../process/orphan-registry.js';
import { SupervisedProcess } from '../process/supervised-process.js';
import { productVersion } from '../core/product-version.js';
import { writeAtomically } from '../core/write-atomically.js';
import { certificateNames, forUrl, publicAddresses } from '../tls/addresses.js';
import { certificateFingerprint, checkOwnCertificate, ensureServerCertificate } from '../tls/local-authority.js';
import { ensureNodeCertificate } from '../tls/node-certificate.js';

/** How often addresses, expiry and the operator's certificate files are looked at. */
const certificateCheckMs = 60_000;

/**
 * @typedef {object} InstallationDeps
 * @property {string} root
 * @property {string} node
 * @property {Record<string, string | undefined>} env
 * @property {import('../options/options.js').LaunchOptions} options
 * @property {string} runFolder
 * @property {{ say: (text: string) => void, tell: (text: string) => void, child: (name: string) => (line: string) => void }} log
 */

export class Installation {
  /** @type {InstallationDeps} */ #deps;
  /** @type {import('./children.js').Surroundings} */ #surroundings;
  /** @type {ReturnType<typeof openOrphanRegistry>} */ #leftovers;
  /** @type {Map<string, SupervisedProcess>} */ #children = new Map();
  /** @type {SupervisedProcess | null} */ #postgres = null;
  /** @type {Backups | null} */ #backups = null;
  /** @type {NodeJS.Timeout | undefined} */ #certificateTimer;
  /** @type {Promise<void> | null} */ #ended = null;
  /** @type {Promise<unknown>} what may still run outside a supervised child while the end is asked for */ #preparing =
    Promise.resolve();
  #stopping = new AbortController();
  #port = 0;
  /** @type {number | null} */ #rtspPort;
  /** Where the demo's cameras answer searches. @type {string | undefined} */ #demoDiscovery;
  /** Lines to other servers. @type {{ address: import('../options/node-address.js').NodeAddress, files: { cert: string, key: string } } | null} */ #node =
    null;
  /** @type {string | null} */ #setupUrl = null;

  /** @param {InstallationDeps} deps */
  constructor(deps) {
    const { root, node, env, options, runFolder } = deps;
    this.#deps = deps;
    this.#port = options.port;
    this.#rtspPort = options.rtspPort;
    this.#leftovers = openOrphanRegistry(runFolder);
    this.#surroundings = { root, node, env, data: options.data, run: runFolder, logLevel: options.logLevel };
  }

  /** @returns {Promise<{ event: 'ready', url: string, setupUrl: string | null, httpsUrls: string[] }>} */
  async start() {
    const { options, env, log } = this.#deps;
    if ((await this.#leftovers.endOld()) > 0) log.say('ended processes that a killed run had left behind');
    ensureMasterKey(options.data, env['VEDETTE_KEY']);
    const tls = this.#certificate();
    if (options.nodeAddress !== null) {
      const files = ensureNodeCertificate(path.join(options.data, 'tls'), new Date());
      this.#node = { address: options.nodeAddress, files };
    }
    // The port first: when it is taken nothing else has been touched.
    await this.#startGateway(tls);
    const [databaseUrl, consoleFolder, demo] = await Promise.all([
      this.#database(),
      this.#console(),
      this.#virtualDevices(),
    ]);
    const { root, node } = this.#deps;
    await finishKeyChangeAtStart({ root, node, env, data: options.data, databaseUrl, say: log.say });
    const serve = async () => {
      await this.#backUpBeforeUpgrade();
      await this.#startServer({ databaseUrl, consoleFolder, demo });
    };
    // A large database is backed up for minutes: cameras are recorded meanwhile.
    await Promise.all([serve(), this.#startSite()]);
    this.#certificateTimer = setInterval(() => this.#renewCertificate(tls), certificateCheckMs);
    this.#startBackups();
    return this.#announce(tls);
  }

  /** Ends everything within about 8 s: first what uses the database, then the database. */
  end() {
    this.#ended ??= this.#endInOrder();
    return this.#ended;
  }

  get isEnding() {
    return this.#ended !== null;
  }

  /** For a second, impatient signal. */
  kill() {
    for (const child of this.#children.values()) child.kill();
    this.#postgres?.kill();
  }

  /**
   * For the developer's loop: ended in order, the supervision starts it again.
   * @param {string} name
   * @param {string} reason
   */
  restart(name, reason) {
    this.#deps.log.say(`${name} starts again (${reason})`);
    this.#children.get(name)?.signalEnd();
  }

  async #endInOrder() {
    clearInterval(this.#certificateTimer);
    this.#stopping.abort();
    await this.#backups?.end();
    await Promise.all([...this.#children.values()].map((child) => child.end()));
    await this.#backups?.endArchive();
    await this.#postgres?.end();
    await this.#preparing;
  }

  #certificate() {
    const { data, tlsCert, tlsKey } = this.#deps.options;
    if (tlsCert !== null && tlsKey !== null) return checkOwnCertificate(tlsCert, tlsKey);
    return ensureServerCertificate(path.join(data, 'tls'), certificateNames(), new Date()).files;
  }

  /** @param {import('../tls/local-authority.js').TlsFiles} files */
  #renewCertificate(files) {
    const gateway = this.#children.get('gateway');
    const { data } = this.#deps.options;
    try {
      // The operator's own certificate is renewed by the operator; the gateway reads it again in any case.
      if (files.ca !== null && !ensureServerCertificate(path.join(data, 'tls'), certificateNames(), new Date()).changed)
        return;
      gateway?.send('reload-certificate');
    } catch (error) {
      this.#deps.log.say(`the certificate could not be renewed: ${String(error)}`);
    }
  }

  /** @param {import('../tls/local-authority.js').TlsFiles} tls */
  async #startGateway(tls) {
    const { host, http, hsts, trustedProxies } = this.#deps.options;
    const ready = await this.#child('gateway', {
      firstTries: 0,
      own: () => ({
        VEDETTE_GATEWAY: JSON.stringify({
          port: this.#port,
          host,
          run: this.#surroundings.run,
          tls,
          http,
          hsts,
          trustedProxies,
          node: this.#node && { ...this.#node.address, ...this.#node.files },
        }),
        VEDETTE_POISON_MEMORY: this.#deps.env['VEDETTE_POISON_MEMORY'],
      }),
    });
    // With --port 0 the same port is taken again after a restart of the gateway.
    this.#port = Number(ready['port']);
  }

  /** @returns {Promise<string>} */
  async #database() {
    const { options, root, runFolder, log } = this.#deps;
    if (options.databaseUrl !== null) {
      await checkExternalDatabase(options.databaseUrl, this.#stopping.signal);
      return options.databaseUrl;
    }
    const cluster = openCluster({
      programs: findPostgres(root),
      clusterFolder: path.join(options.data, 'postgres'),
      runFolder,
      log: log.child('postgres'),
      stopping: this.#stopping.signal,
      onPid: (pid) => this.#notePostgres(pid),
      archives: true,
    });
    this.#postgres = cluster.process;
    // Nothing of the log is missed until the backups begin.
    if (options.backup !== null) spoolIsTaken(spoolOf(path.join(options.data, 'postgres')), true);
    await cluster.start();
    return cluster.url;
  }

  /** PostgreSQL is not among the leftovers: its own pid file tells more, and it may take longer to end. @param {number | null} pid */
  #notePostgres(pid) {
    if (pid !== null) this.#deps.log.child('postgres')(`postgres runs as process ${pid}`);
  }

  async #backUpBeforeUpgrade() {
    const { options, env, root, runFolder, log } = this.#deps;
    if (options.databaseUrl !== null || !options.upgradeBackup) return;
    const programs = findPostgres(root);
    const taken = backUpBeforeUpgrade({
      data: options.data,
      key: backupKey(readMasterKey(options.data, env['VEDETTE_KEY'])),
      version: productVersion(root),
      migrations: knownMigrations(root),
      database: { socketFolder: clusterAddress({ programs, runFolder }).socketFolder, owner: programs.owner },
      say: log.say,
    });
    this.#preparing = taken.catch(() => undefined); // told by who waits for it
    await taken;
  }

  /** @returns {Promise<string>} */
  #console() {
    const { options, root, node, log } = this.#deps;
    return options.consoleFolder === null
      ? buildConsole({ root, node, say: log.say, stopping: this.#stopping.signal })
      : Promise.resolve(options.consoleFolder);
  }

  /** @returns {Promise<string | undefined>} path of what the virtual devices say about themselves */
  async #virtualDevices() {
    const { options, log } = this.#deps;
    if (!options.demo) return undefined;
    const file = path.join(options.data, 'demo.json');
    const { port, password, discoveryPort } = await demoSettings(path.join(options.data, 'demo-place.json'), log.say);
    this.#demoDiscovery = `127.0.0.1:${discoveryPort}`;
    await this.#child('virtual-devices', {
      own: () => ({
        VEDETTE_DEVICES_PORT: String(port),
        VEDETTE_DEVICES_PASSWORD: password,
        VEDETTE_DEVICES_SPARES: '1',
        VEDETTE_DEVICES_DISCOVERY: this.#demoDiscovery,
      }),
      onReady: (ready) => writeAtomically(file, `${JSON.stringify(ready)}\n`),
    });
    return file;
  }

  /** @param {{ databaseUrl: string, consoleFolder: string, demo: string | undefined }} facts */
  #startServer({ databaseUrl, consoleFolder, demo }) {
    return this.#child('server', {
      onReady: (ready) => this.#tellSetup(ready['setupSecret']),
      own: () => ({
        DATABASE_URL: databaseUrl,
        VEDETTE_KEY: this.#deps.env['VEDETTE_KEY'],
        VEDETTE_CONSOLE: consoleFolder,
        VEDETTE_NODE: this.#node
          ? JSON.stringify({ address: nodeAddressText(this.#node.address), ...this.#node.files })
          : undefined,
        VEDETTE_BACKUP_TO: this.#deps.options.backup?.to,
        VEDETTE_DEMO: demo,
        VEDETTE_DEMO_HOURS: String(this.#deps.options.demoHours),
        ...this.#publicPlace(),
      }),
    });
  }

  #startSite() {
    return this.#child('site', {
      own: () => ({
        VEDETTE_KEY: this.#deps.env['VEDETTE_KEY'],
        VEDETTE_RTSP_PORT: this.#rtspPort === null ? undefined : String(this.#rtspPort),
        VEDETTE_RTSP_HOST: this.#deps.options.host,
        VEDETTE_DISCOVERY: this.#deps.env['VEDETTE_DISCOVERY'],
        VEDETTE_DEMO_DISCOVERY: this.#demoDiscovery,
        VEDETTE_ANALYST: this.#deps.env['VEDETTE_ANALYST'],
        VEDETTE_POISON_MEMORY: this.#deps.env['VEDETTE_POISON_MEMORY'],
        ...this.#publicPlace(),
      }),
      // A port that the system chose is taken again after a restart, so that addresses given out stay good.
      onReady: ({ rtspPort }) => {
        if (typeof rtspPort === 'number') this.#rtspPort = rtspPort;
      },
    });
  }

  #startBackups() {
    const { root, node, env, options, log } = this.#deps;
    const { data, backup: plan, databaseUrl } = options;
    const spool = databaseUrl === null ? spoolOf(path.join(data, 'postgres')) : null;
    const masterKey = readMasterKey(data, env['VEDETTE_KEY']);
    this.#backups = new Backups({ root, node, env, data, masterKey, plan, spool, log: log.child('backup') });
    this.#backups.start();
  }

  #publicPlace() {
    const { databaseUrl, nodeAddress } = this.#deps.options;
    return {
      VEDETTE_PUBLIC_PORT: String(this.#port),
      VEDETTE_OWN_PORTS: ownPorts(this.#port, databaseUrl, nodeAddress?.port).join(),
    };
  }

  /**
   * @param {Parameters<typeof describeChild>[0]} name
   * @param {{ own: () => Record<string, string | undefined> } & Partial<import('../process/supervised-process.js').ProcessOptions>} options
   */
  #child(name, { own, ...options }) {
    const child = new SupervisedProcess({
      name,
      log: this.#deps.log.child(name),
      describe: () => describeChild(name, this.#surroundings, own()),
      onPid: (pid) => this.#leftovers.note(name, pid),
      ...options,
    });
    this.#children.set(name, child);
    return child.start();
  }

  /**
   * The link is a new one after a restart of the server, as long as nobody used it.
   * @param {unknown} secret
   */
  #tellSetup(secret) {
    this.#setupUrl = typeof secret === 'string' ? `${this.#url()}/setup#secret=${secret}` : null;
    if (this.#setupUrl !== null) this.#deps.log.tell(`set it up once with this link: ${this.#setupUrl}`);
  }

  #url() {
    return `http://localhost:${this.#port}`;
  }

  /** @param {import('../tls/local-authority.js').TlsFiles} tls */
  #announce(tls) {
    const { log, options } = this.#deps;
    const hosts = options.host === '' ? publicAddresses() : [options.host];
    const httpsUrls = hosts.map((host) => `https://${forUrl(host)}:${this.#port}`);
    log.say(`ready at ${this.#url()}`);
    for (const other of httpsUrls) log.say(`from other devices: ${other}`);
    if (httpsUrls.length > 0 && tls.ca !== null) {
      log.say(`make other devices trust it: ${this.#url()}/trust`);
      log.say(`SHA-256 fingerprint of its certificate authority: ${certificateFingerprint(tls.ca)}`);
    }
    return { event: /** @type {const} */ ('ready'), url: this.#url(), setupUrl: this.#setupUrl, httpsUrls };
  }
}
