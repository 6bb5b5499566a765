// Ceph's S3 gateway over one monitor and one store in memory, from Debian's packages: an object store that is strict about signatures.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { AwsClient } from 'aws4fetch';
import { waitFor } from './wait-for.ts';
import { freePort } from './free-port.ts';

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'ceph-authtool', 'monmaptool'];
/** The daemons change their user and own their folders only as root. */
export const hasCeph =
  process.getuid?.() === 0 &&
  PROGRAMS.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);

const execute = promisify(execFile);

export interface CephUser {
  readonly accessKey: string;
  readonly secretKey: string;
}

export class CephGateway {
  readonly port: number;
  readonly owner: CephUser = { accessKey: 'OWNER', secretKey: 'owner-secret' };
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /** Ready for requests; about 15 s. */
  static async start(): Promise<CephGateway> {
    const [folder, monitorPort, port] = await Promise.all([mkdtemp(join(tmpdir(), 'ceph-')), freePort(), freePort()]);
    const made = new CephGateway(folder, port);
    try {
      await made.#open(monitorPort);
    } catch (error) {
      await made.stop();
      throw error;
    }
    return made;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  access(bucket: string, user: CephUser = this.owner): ObjectStoreAccess {
    const { accessKey, secretKey } = user;
    const place = { endpoint: this.endpoint, region: 'default', bucket, isPathStyle: true, prefix: 'vedette' };
    return { storeId: 'store1', ...place, accessKey, secretKey };
  }

  /** Made by the owner, with the rights of other users as a policy. */
  async makeBucket(bucket: string, policy: object | null = null): Promise<ObjectStoreAccess> {
    const { accessKey: accessKeyId, secretKey: secretAccessKey } = this.owner;
    const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'default', retries: 0 });
    const bodies = {
      [`${this.endpoint}/${bucket}`]: '',
      [`${this.endpoint}/${bucket}?policy`]: JSON.stringify(policy),
    };
    for (const [url, body] of Object.entries(bodies)) {
      if (body === 'null') continue;
      const answer = await client.fetch(url, { method: 'PUT', body });
      if (!answer.ok) throw new Error(await answer.text());
    }
    return this.access(bucket);
  }

  async addUser({ accessKey, secretKey }: CephUser): Promise<void> {
    const keys = ['--access-key', accessKey, '--secret', secretKey];
    await this.#run('radosgw-admin', ['user', 'create', '--uid', accessKey, '--display-name', accessKey, ...keys]);
  }

  async stop(): Promise<void> {
    // Nothing of it is kept: there is nothing to end in order.
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #open(monitorPort: number): Promise<void> {
    const { osdId, ring } = await this.#openMonitor(monitorPort);
    await this.#run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osdId]);
    await this.#run('ceph', ['auth', 'add', 'osd.0', '-i', ring]);
    this.#spawn('ceph-osd', ['-f', '-i', '0']);
    const frontend = `beast endpoint=127.0.0.1:${this.port}`;
    this.#spawn('radosgw', ['-f', '-n', 'client.admin', `--rgw_frontends=${frontend}`]);
    await waitFor('the S3 gateway to answer', async () => (await fetch(this.endpoint)).ok, 90_000);
    await this.addUser(this.owner);
  }

  async #openMonitor(port: number): Promise<{ osdId: string; ring: string }> {
    const place = (name: string) => join(this.#folder, name);
    await Promise.all(['mon', 'osd', 'run'].map((name) => mkdir(place(name))));
    const [clusterId, osdId] = [randomUUID(), randomUUID()];
    await writeFile(place('ceph.conf'), configuration(this.#folder, clusterId, port));
    const [ring, map] = [place('keyring'), place('monmap')];
    const all = (...services: string[]) => services.flatMap((service) => ['--cap', service, 'allow *']);
    await this.#run('ceph-authtool', ['-C', ring, '-g', '-n', 'mon.', ...all('mon')]);
    await this.#run('ceph-authtool', [ring, '-g', '-n', 'client.admin', ...all('mon', 'osd', 'mgr')]);
    await this.#run('ceph-authtool', [ring, '-g', '-n', 'osd.0', '--cap', 'mon', 'allow profile osd', ...all('osd')]);
    await this.#run('monmaptool', ['--create', '--addv', 'a', `[v1:127.0.0.1:${port}]`, '--fsid', clusterId, map]);
    await this.#run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', ring]);
    this.#spawn('ceph-mon', ['-f', '-i', 'a']);
    await this.#run('ceph', ['osd', 'new', osdId]);
    await this.#run('ceph', ['osd', 'crush', 'add-bucket', 'here', 'host']);
    await this.#run('ceph', ['osd', 'crush', 'move', 'here', 'root=default']);
    return { osdId, ring };
  }

  #spawn(program: string, args: readonly string[]): void {
    const child = spawn(program, [...args, '-c', join(this.#folder, 'ceph.conf')], { stdio: 'ignore' });
    this.#children.push(child);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const configured = program === 'ceph-authtool' || program === 'monmaptool' ? [] : ['-c', 'ceph.conf'];
    await execute(program, [...args, ...configured], { cwd: this.#folder, timeout: 60_000, maxBuffer: 1 << 24 });
  }
}

/** One copy of each object, in memory. */
function configuration(folder: string, clusterId: string, port: number): string {
  return `[global]
fsid = ${clusterId}
mon_host = v1:127.0.0.1:${port}
ms_bind_msgr2 = false
public_addr = 127.0.0.1
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = ${folder}/keyring
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.$pid.asok
crash_dir = ${folder}/run
log_file =
log_to_stderr = true
mon_cluster_log_file = ${folder}/run/cluster.log
mon_data = ${folder}/mon
osd_data = ${folder}/osd
rgw_data = ${folder}/run
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
`;
}
