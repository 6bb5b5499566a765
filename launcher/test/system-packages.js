// System packages for tests: installs them from Debian as root, else names the command to run.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../bootstrap/install.js';
import { LaunchError } from '../core/launch-error.js';

/** @typedef {{ name: string, packages: string[], present: () => boolean }} Need */

const gstreamer = `
import gi
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
missing = [name for name in ("x264enc", "x265enc", "avenc_aac", "rtph264pay", "alawenc", "jpegenc") if Gst.ElementFactory.find(name) is None]
raise SystemExit(1 if missing else 0)
`;

/** @type {Need[]} */
const needs = [
  {
    name: 'Chromium',
    packages: ['chromium'],
    present: () => ['chromium', 'google-chrome', 'chromium-browser'].some(onPath),
  },
  { name: 'ffmpeg', packages: ['ffmpeg'], present: () => onPath('ffmpeg') && onPath('ffprobe') },
  {
    name: 'a font with Chinese characters',
    packages: ['fontconfig', 'fonts-droid-fallback'],
    present: () => (spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' }).stdout ?? '').trim() !== '',
  },
  {
    name: "OpenLDAP's server",
    packages: ['slapd', 'ldap-utils'],
    present: () => fs.existsSync('/usr/sbin/slapd') && onPath('ldapmodify'),
  },
  {
    name: 'aiohttp for Python',
    packages: ['python3', 'python3-aiohttp'],
    present: () => succeeds('/usr/bin/python3', ['-c', 'import aiohttp']),
  },
  {
    name: "GStreamer's RTSP server",
    packages: [
      'python3-gi',
      'gir1.2-gst-rtsp-server-1.0',
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-plugins-ugly',
      'gstreamer1.0-libav',
    ],
    present: () => succeeds('/usr/bin/python3', ['-c', gstreamer]),
  },
];

/** What tests are skipped without, or slower: not every Debian has it. */
const welcome = [
  {
    name: "Chromium's headless shell",
    packages: ['chromium-headless-shell'],
    present: () => onPath('chromium-headless-shell'),
  },
  { name: 'onvif-tools', packages: ['onvif-tools'], present: () => onPath('onvif-util') },
  { name: 'strace', packages: ['strace'], present: () => onPath('strace') },
  { name: 'tcpdump', packages: ['tcpdump'], present: () => onPath('tcpdump') },
];

/** Likewise, for `npm run test:peers` alone: they are large. */
const peers = [
  {
    name: 'a screen without a monitor',
    packages: ['xvfb', 'openbox'],
    present: () => onPath('Xvfb') && onPath('openbox'),
  },
  {
    name: 'a desktop that shows notifications',
    packages: ['dbus', 'dunst', 'x11-utils'],
    present: () => ['dbus-daemon', 'dunstctl', 'xmessage'].every(onPath),
  },
  {
    name: 'GTK with its web engine, and a desktop with two monitors',
    packages: [
      'gjs',
      'gir1.2-gtk-4.0',
      'gir1.2-webkit-6.0',
      'gir1.2-gst-plugins-base-1.0',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-gl',
      'gstreamer1.0-libav',
      'weston',
      'xdotool',
    ],
    present: () => ['gjs', 'weston', 'xdotool'].every(onPath),
  },
  {
    name: 'Ceph with its S3 gateway',
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    present: () => ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph'].every(onPath),
  },
];

/**
 * Services of Debian that tests run themselves: unpacked beside the packages, as an installation would start them for all. What is
 * missing is skipped, as tests/skips.json allows.
 */
const services = ['prometheus', 'nginx', 'libnginx-mod-rtmp'];

/** Likewise, for `npm run test:peers` alone; HAProxy with the libraries that it needs beside the usual ones. */
const peerServices = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1', 'caddy'];

/** Where they are unpacked, a folder each; tests/peers/ finds them there. */
const unpackedFolder = path.join(root, '.vedette', 'peers');

/**
 * @param {(text: string) => void} say
 * @param {{ withPeers: boolean }} which
 */
export function ensureSystemPackages(say, { withPeers }) {
  ensureRequired(say);
  ensureWelcome(withPeers ? [...welcome, ...peers] : welcome, say);
  for (const name of withPeers ? [...services, ...peerServices] : services) ensureUnpacked(name, say);
}

/** @param {(text: string) => void} say */
function ensureRequired(say) {
  const missing = needs.filter((need) => !need.present());
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const packages = missing.flatMap((need) => need.packages);
  const line = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new LaunchError('programsMissing', `the tests need ${names}.`, { hint: `Run this once: sudo ${line}` });
  }
  say(`installing ${names} from Debian …`);
  if (!install(packages, say))
    throw new LaunchError('programsNotInstalled', `apt-get could not install ${names}.`, {
      hint: `Try: apt-get update && ${line}`,
    });
  const still = needs.filter((need) => !need.present()).map(({ name }) => name);
  if (still.length > 0)
    throw new LaunchError('programsNotInstalled', `still missing after apt-get: ${still.join(', ')}.`);
}

/**
 * @param {readonly Need[]} welcomed
 * @param {(text: string) => void} say
 */
function ensureWelcome(welcomed, say) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return;
  const missing = welcomed.filter(
    ({ packages, present }) => !present() && succeeds('apt-cache', ['show', ...packages]),
  );
  for (const { name, packages } of missing) {
    say(`installing ${name} from Debian …`);
    if (!aptGet(['install', '-y', '-q', '--no-install-recommends', ...packages]))
      say(`${name} could not be installed.`);
  }
}

/**
 * @param {string} name
 * @param {(text: string) => void} say
 */
export function ensureUnpacked(name, say) {
  const target = path.join(unpackedFolder, name);
  if (fs.existsSync(target) || !onPath('apt-get') || !onPath('dpkg-deb')) return;
  say(`unpacking ${name} of Debian …`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-peer-'));
  try {
    // Nobody else may write there, so the lower rights that apt would take to download are not needed.
    const isDownloaded = succeeds('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', name], folder);
    const [file] = fs.readdirSync(folder);
    const isUnpacked = isDownloaded && file !== undefined && succeeds('dpkg-deb', ['-x', file, 'unpacked'], folder);
    if (!isUnpacked) return say(`${name} could not be unpacked.`);
    fs.mkdirSync(unpackedFolder, { recursive: true });
    fs.cpSync(path.join(folder, 'unpacked'), target, { recursive: true, verbatimSymlinks: true });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Package lists may be absent or out of date: they are fetched when the first try fails.
 * @param {string[]} packages
 * @param {(text: string) => void} say
 */
function install(packages, say) {
  const args = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  if (aptGet(args)) return true;
  say('fetching the package lists …');
  return aptGet(['update', '-q']) && aptGet(args);
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  return status === 0;
}

/** @param {string} program */
function onPath(program) {
  return succeeds('sh', ['-c', `command -v ${program}`]);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 */
function succeeds(command, args, cwd) {
  return spawnSync(command, args, { stdio: 'ignore', cwd }).status === 0;
}
