// Writes an image as one file, an archive of the OCI image layout (image-spec 1.1), without a container engine: equal input makes equal bytes.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LaunchError } from '../core/launch-error.js';

/**
 * @typedef {{ mediaType: string, digest: string, size: number }} Descriptor
 * @typedef {{ descriptor: Descriptor, diffId: string, note: string }} Layer diffId: digest of the layer before it was packed
 */

const mediaType = (/** @type {string} */ what) => `application/vnd.oci.image.${what}`;

export class OciImage {
  #folder;
  #epoch;
  /** @type {Layer[]} */ #layers = [];

  /**
   * @param {string} folder of the layout; private, and made here
   * @param {number} epoch seconds since 1970 UTC, the time of everything in it
   */
  constructor(folder, epoch) {
    this.#folder = folder;
    this.#epoch = epoch;
    fs.mkdirSync(this.#blob(''), { recursive: true });
  }

  /**
   * @param {string} folder whose contents are the layer; readable by everybody, writable by their owner alone
   * @param {{ owner: number, note: string }} about owner: user and group of all files
   */
  async addFolder(folder, { owner, note }) {
    spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', folder]);
    const child = spawn('tar', ['-c', ...this.#equalTar(owner), '-C', folder, '-f', '-', '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await this.addTar(child.stdout, note);
    if ((await ended) !== 0) throw new LaunchError('notPackaged', `tar of ${folder} failed.`);
  }

  /**
   * @param {import('node:stream').Readable} tar
   * @param {string} note
   */
  async addTar(tar, note) {
    const [whole, packed] = [createHash('sha256'), createHash('sha256')];
    const file = path.join(this.#folder, 'layer');
    const [before, after] = [new PassThrough(), new PassThrough()];
    before.on('data', (bytes) => whole.update(bytes));
    after.on('data', (bytes) => packed.update(bytes));
    await pipeline(tar, before, createGzip({ level: 6 }), after, fs.createWriteStream(file));
    const digest = packed.digest('hex');
    fs.renameSync(file, this.#blob(digest));
    const size = fs.statSync(this.#blob(digest)).size;
    const descriptor = { mediaType: mediaType('layer.v1.tar+gzip'), digest: `sha256:${digest}`, size };
    this.#layers.push({ descriptor, diffId: `sha256:${whole.digest('hex')}`, note });
  }

  /**
   * @param {string} file
   * @param {{ name: string, architecture: string, config: object }} about name: with its tag; config: how it is run
   * @returns {{ digest: string, bytes: number }} of the manifest, and of the file
   */
  write(file, { name, architecture, config }) {
    const created = new Date(this.#epoch * 1000).toISOString();
    const described = this.#json('config.v1+json', {
      created,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: this.#layers.map(({ diffId }) => diffId) },
      history: this.#layers.map(({ note }) => ({ created, created_by: note })),
    });
    const layers = this.#layers.map(({ descriptor }) => descriptor);
    const kind = mediaType('manifest.v1+json');
    const manifest = this.#json('manifest.v1+json', { schemaVersion: 2, mediaType: kind, config: described, layers });
    const [, tag = ''] = name.split(':');
    // The second name is the one that Docker gives the image when it loads it.
    const annotations = {
      'org.opencontainers.image.ref.name': tag,
      'io.containerd.image.name': `docker.io/library/${name}`,
    };
    const index = {
      schemaVersion: 2,
      mediaType: mediaType('index.v1+json'),
      manifests: [{ ...manifest, annotations }],
    };
    fs.writeFileSync(path.join(this.#folder, 'index.json'), JSON.stringify(index));
    fs.writeFileSync(path.join(this.#folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const args = ['-c', ...this.#equalTar(0), '-C', this.#folder, '-f', file, 'blobs', 'index.json', 'oci-layout'];
    const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
    if (status !== 0) throw new LaunchError('notPackaged', `tar ended with ${status}: ${stderr?.trim()}`);
    return { digest: manifest.digest, bytes: fs.statSync(file).size };
  }

  /**
   * @param {string} kind
   * @param {object} value
   * @returns {Descriptor}
   */
  #json(kind, value) {
    const text = JSON.stringify(value);
    const digest = createHash('sha256').update(text).digest('hex');
    fs.writeFileSync(this.#blob(digest), text);
    return { mediaType: mediaType(kind), digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  }

  /** @param {string} digest */
  #blob(digest) {
    return path.join(this.#folder, 'blobs', 'sha256', digest);
  }

  /** @param {number} owner */
  #equalTar(owner) {
    const names = [
      '--format=posix',
      '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
      '--sort=name',
    ];
    return [
      ...names,
      `--mtime=@${this.#epoch}`,
      `--owner=${owner}`,
      `--group=${owner}`,
      '--numeric-owner',
      '--mode=u+w',
    ];
  }
}
