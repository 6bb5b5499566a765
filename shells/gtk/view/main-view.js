// The view of the GTK shell, run by GJS: windows with web views and native tiles, as the shell orders on standard input.
import GLib from 'gi://GLib?version=2.0';
import Gst from 'gi://Gst?version=1.0';
import Gdk from 'gi://Gdk?version=4.0';
import Gtk from 'gi://Gtk?version=4.0';
import { readOrders } from './json-lines.js';
import { ViewWindows } from './view-windows.js';

/** @import { ViewOrder } from '../view-lines.ts' */

GLib.set_prgname('vedette-gtk-shell');
Gst.init(null);
Gtk.init();
const style = new Gtk.CssProvider();
style.load_from_data('.native-tile { background: black; }');
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION);

const loop = new GLib.MainLoop(null, false);
/** @type {ViewWindows | null} */
let windows = null;

function end() {
  windows?.end();
  loop.quit();
}

/** @param {ViewOrder} order */
function take(order) {
  if (order.do === 'end') end();
  else if (order.do === 'begin') windows = new ViewWindows(order);
  else windows?.take(order);
}

readOrders(take, end);
loop.run();
