// Saves what a page offers as a file, under a name that the person chooses.
import Gio from 'gi://Gio?version=2.0';
import Gtk from 'gi://Gtk?version=4.0';

/** @import WebKit from 'gi://WebKit?version=6.0' */

/** GTK keeps no dialog of this kind itself: one that nobody holds is collected, and never shown. @type {Set<Gtk.FileChooserNative>} */
const open = new Set();

/**
 * @param {WebKit.Download} download
 * @param {Gtk.Window | null} parent
 */
export function askWhere(download, parent) {
  download.connect('decide-destination', (_download, name) => {
    const dialog = new Gtk.FileChooserNative({
      action: Gtk.FileChooserAction.SAVE,
      transient_for: parent,
      modal: true,
    });
    // Never a path: a name with slashes could lead out of the folder.
    dialog.set_current_name(Gio.File.new_for_path(name).get_basename() ?? 'file');
    dialog.connect('response', (_dialog, answer) => {
      const path = answer === Gtk.ResponseType.ACCEPT ? dialog.get_file().get_path() : null;
      dialog.destroy();
      open.delete(dialog);
      if (path === null) return download.cancel();
      download.set_allow_overwrite(true);
      download.set_destination(path);
    });
    open.add(dialog);
    dialog.show();
    return true;
  });
}
