// Address of a bucket: s3://BUCKET/PREFIX?endpoint=URL&region=NAME&style=path, all that is no secret about it.

import { LaunchError } from '../core/launch-error.js';

/**
 * @typedef {object} S3Address
 * @property {string} endpoint origin of the service, such as https://s3.example.com
 * @property {string} region
 * @property {string} bucket
 * @property {string} prefix of all keys, without slashes at its ends; may be empty
 * @property {boolean} isPathStyle the bucket is part of the path, not of the host name
 */

const scheme = 's3://';
/** Amazon S3 user guide, bucket naming rules. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that no service and no XML escapes. */
const folderName = /^[\w.-]{1,100}$/;
const regionName = /^[\w-]{1,40}$/;

/** @param {string} text */
export function isS3Address(text) {
  return text.startsWith(scheme);
}

/**
 * Throws LaunchError `usage`.
 * @param {string} text
 * @returns {S3Address}
 */
export function readS3Address(text) {
  const [place = '', query = ''] = text.slice(scheme.length).split('?', 2);
  const [bucket = '', ...folders] = place.replace(/\/$/, '').split('/');
  const words = new URLSearchParams(query);
  const region = words.get('region') ?? 'us-east-1';
  const strange = [...words.keys()].find((word) => !['endpoint', 'region', 'style'].includes(word));
  if (strange !== undefined) throw wrong(text, `"${strange}=" is not known there`);
  refuseNames(text, { bucket, folders, region });
  const given = words.get('endpoint');
  return {
    endpoint: given === null ? `https://s3.${region}.amazonaws.com` : readEndpoint(text, given),
    region,
    bucket,
    prefix: folders.join('/'),
    isPathStyle: readStyle(text, words.get('style') ?? (given === null ? 'host' : 'path')),
  };
}

/**
 * @param {string} text
 * @param {{ bucket: string, folders: string[], region: string }} names
 */
function refuseNames(text, { bucket, folders, region }) {
  if (!bucketName.test(bucket)) throw wrong(text, 'the bucket has no valid name');
  if (!folders.every((folder) => folderName.test(folder) && !/^\.+$/.test(folder)))
    throw wrong(text, 'the prefix takes letters, digits, "_", "-" and "."');
  if (!regionName.test(region)) throw wrong(text, 'the region has no valid name');
}

/** @param {Pick<S3Address, 'bucket' | 'prefix'>} address */
export function bucketPlace({ bucket, prefix }) {
  return `${scheme}${[bucket, prefix].filter((part) => part !== '').join('/')}`;
}

/**
 * @param {string} text
 * @param {string} endpoint
 */
function readEndpoint(text, endpoint) {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isPlain = url?.pathname === '/' && url.search === '' && url.username === '' && url.password === '';
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol))
    throw wrong(text, 'the endpoint is an address such as https://s3.example.com, without keys and path');
  return url.origin;
}

/**
 * @param {string} text
 * @param {string} style
 */
function readStyle(text, style) {
  if (style !== 'path' && style !== 'host') throw wrong(text, 'the style is path or host');
  return style === 'path';
}

/**
 * @param {string} text
 * @param {string} reason
 */
function wrong(text, reason) {
  // Without what somebody may have put behind it by mistake: keys.
  const [place = ''] = text.split('?', 1);
  return new LaunchError('usage', `"${place}" is no place of backups: ${reason}.`, {
    hint: 'It looks like s3://BUCKET/PREFIX?endpoint=https://s3.example.com&region=eu-central-1.',
    exitCode: 2,
  });
}
