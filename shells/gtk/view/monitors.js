// The monitors of the desktop by name, and a window that fills one of them.
import Gdk from 'gi://Gdk?version=4.0';

/** @import { Monitor } from '../view-lines.ts' */
/** @import Gtk from 'gi://Gtk?version=4.0' */

function list() {
  const monitors = Gdk.Display.get_default().get_monitors();
  return Array.from({ length: monitors.get_n_items() }, (_, at) => monitors.get_item(at));
}

/**
 * Some compositors tell no connector.
 * @param {Gdk.Monitor} monitor
 * @param {number} at
 */
const nameOf = (monitor, at) => monitor.get_connector() ?? `monitor-${at + 1}`;

/** @returns {Monitor[]} */
export function readMonitors() {
  return list().map((monitor, at) => {
    const { x, y, width, height } = monitor.get_geometry();
    return { name: nameOf(monitor, at), rect: { x, y, width, height }, dpr: monitor.get_scale_factor() };
  });
}

/** @param {() => void} onChange */
export function watchMonitors(onChange) {
  Gdk.Display.get_default().get_monitors().connect('items-changed', onChange);
}

/**
 * False where there is no monitor of that name.
 * @param {Gtk.Window} window
 * @param {string} name
 */
export function fillMonitor(window, name) {
  const monitor = list().find((one, at) => nameOf(one, at) === name);
  if (monitor !== undefined) window.fullscreen_on_monitor(monitor);
  return monitor !== undefined;
}
