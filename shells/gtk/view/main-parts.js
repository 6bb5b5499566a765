// Says which parts of GTK, WebKitGTK and GStreamer are missing on this machine, and the version of WebKitGTK, as one line of JSON.
import gi from 'gi';

const PARTS = /** @type {const} */ ([
  ['Gtk', '4.0'],
  ['WebKit', '6.0'],
  ['Gst', '1.0'],
  ['GstApp', '1.0'],
]);

/** @param {readonly [name: string, version: string]} part */
function isMissing([name, version]) {
  try {
    gi.require(name, version);
    return false;
  } catch {
    return true;
  }
}

const missing = PARTS.filter(isMissing).map(([name, version]) => `${name}-${version}`);
const webKit = missing.includes('WebKit-6.0') ? null : versionOf(gi.require('WebKit', '6.0'));
print(JSON.stringify({ missing, webKit }));

/** @param {import('gi').Versioned} library */
function versionOf(library) {
  return [library.get_major_version(), library.get_minor_version(), library.get_micro_version()].join('.');
}
