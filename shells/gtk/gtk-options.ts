// The options of the GTK shell's command line.
import path from 'node:path';
import { parseOptions, readServer, type ShellServer, TEXT } from '../desktop/shell-options.ts';

export interface GtkCommandLine extends ShellServer {
  /** Monitor that the first window fills, by name. */
  readonly monitor: string | null;
  /** Monitors of the walls in windows of their own, from wall 2 on. */
  readonly walls: readonly string[];
  /** The person knows what the distribution says of WebKitGTK: nothing is asked before the first page. */
  readonly isNoticeRead: boolean;
}

/** @throws OptionError */
export function readGtkOptions(args: readonly string[], dataFolder: string): GtkCommandLine {
  const {
    monitor,
    wall,
    'notice-read': isNoticeRead,
    ...given
  } = parseOptions(args, {
    server: TEXT,
    profile: TEXT,
    trust: TEXT,
    monitor: TEXT,
    wall: { ...TEXT, multiple: true },
    'notice-read': { type: 'boolean' },
  });
  return {
    // Its web engine keeps other files than Chromium.
    ...readServer(given, path.join(dataFolder, 'vedette-gtk-shell')),
    monitor: monitor ?? null,
    walls: wall ?? [],
    isNoticeRead: isNoticeRead ?? false,
  };
}
