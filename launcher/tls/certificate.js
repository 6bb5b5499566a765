// Writes X.509 v3 certificates (RFC 5280) with ECDSA P-256 keys: the local authority and the server's.

import { createHash, randomBytes, sign } from 'node:crypto';
import net from 'node:net';
import {
  bitString,
  derTrue,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.js';

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/**
 * @typedef {object} CertificateOptions
 * @property {string} subject common name
 * @property {string} issuer common name
 * @property {import('node:crypto').KeyObject} subjectKey public
 * @property {import('node:crypto').KeyObject} issuerPublicKey
 * @property {import('node:crypto').KeyObject} issuerKey private
 * @property {Date} notBefore
 * @property {Date} notAfter
 * @property {string[] | null} names DNS names and addresses; null makes an authority
 */

/**
 * @param {CertificateOptions} options
 * @returns {string} PEM
 */
export function writeCertificate(options) {
  // 19 random bytes with the top bit clear and the first not zero: positive, unguessable, at most 20 octets.
  const serial = randomBytes(19);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const signed = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    distinguishedName(options.issuer),
    sequence(time(options.notBefore), time(options.notAfter)),
    distinguishedName(options.subject),
    options.subjectKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(options))),
  );
  const signature = sign('sha256', signed, options.issuerKey);
  const certificate = sequence(signed, ecdsaWithSha256, bitString(signature));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** @param {CertificateOptions} options */
function extensions({ names, subjectKey, issuerPublicKey }) {
  const identifiers = [
    extension('2.5.29.14', false, octetString(keyIdentifier(subjectKey))),
    extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(issuerPublicKey)))),
  ];
  if (names === null) {
    return [
      extension('2.5.29.19', true, sequence(derTrue, integer(Buffer.from([0])))), // an authority that makes no further ones
      extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)), // keyCertSign, cRLSign
      ...identifiers,
    ];
  }
  return [
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)), // digitalSignature
    extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))), // serverAuth
    extension('2.5.29.17', false, sequence(...names.map(generalName))),
    ...identifiers,
  ];
}

/**
 * @param {string} id
 * @param {boolean} critical
 * @param {Buffer} value
 */
function extension(id, critical, value) {
  return sequence(objectIdentifier(id), ...(critical ? [derTrue] : []), octetString(value));
}

/** @param {string} name */
function generalName(name) {
  if (net.isIP(name) === 0) return implicit(2, Buffer.from(name, 'ascii'));
  return implicit(7, Buffer.from(net.isIPv4(name) ? name.split('.').map(Number) : ipv6Bytes(name)));
}

/** @param {string} address */
function ipv6Bytes(address) {
  // The URL parser writes the shortest form in hexadecimal, also for an embedded IPv4 tail.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (/** @type {string} */ text) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = groups(tail ?? '');
  const middle = tail === undefined ? [] : new Array(8 - before.length - after.length).fill(0);
  return [...before, ...middle, ...after].flatMap((group) => [group >>> 8, group & 0xff]);
}

/** @param {string} commonName */
function distinguishedName(commonName) {
  return sequence(
    set(sequence(objectIdentifier('2.5.4.10'), utf8String('Vedette'))),
    set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))),
  );
}

/**
 * RFC 5280 4.2.1.2, method 1: SHA-1 of the public key bits.
 * @param {import('node:crypto').KeyObject} key
 */
function keyIdentifier(key) {
  // The uncompressed point is the last 65 bytes of a P-256 SubjectPublicKeyInfo.
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}
