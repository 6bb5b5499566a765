// Reads orders of the shell from standard input and writes events to the pipe beside it, one JSON object a line.
import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';

/** @import { ViewEvent, ViewOrder } from '../view-lines.ts' */

const EVENTS_FD = 3;

const events = new Gio.UnixOutputStream({ fd: EVENTS_FD, close_fd: false });

/** @param {ViewEvent} event */
export function say(event) {
  events.write_all(new TextEncoder().encode(`${JSON.stringify(event)}\n`), null);
}

/**
 * @param {(order: ViewOrder) => void} take
 * @param {() => void} onEnd the shell has ended, in whatever way
 */
export function readOrders(take, onEnd) {
  const input = new Gio.DataInputStream({ base_stream: new Gio.UnixInputStream({ fd: 0, close_fd: false }) });
  const next = () => {
    input.read_line_async(GLib.PRIORITY_DEFAULT, null, (_source, result) => {
      const [line] = input.read_line_finish_utf8(result);
      if (line === null) return onEnd();
      take(/** @type {ViewOrder} */ (JSON.parse(line)));
      next();
    });
  };
  next();
}
