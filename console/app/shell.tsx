// The frame of every signed-in page: rail, connection banner, the screen, the key sheet, the command palette.
import { useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { useKeys } from '../keys/key-registry.ts';
import { isForUser } from '../features/account/row-viewer.ts';
import { useRowViewer } from '../features/account/use-row-viewer.ts';
import { AccountWatcher } from '../features/account/account-watcher.tsx';
import { AlarmWatcher } from '../features/alarm/alarm-watcher.tsx';
import { AlarmNotifications } from '../features/desktop-notification/alarm-notifications.tsx';
import { ConnectionDialog } from '../features/device-connection/connection-editor.tsx';
import { CommandPalette } from '../features/command-palette/command-palette.tsx';
import { PALETTE_KEYS } from '../features/command-palette/use-key-commands.ts';
import { ExportWatcher } from '../features/export/export-watcher.tsx';
import { ManualPanel } from '../features/manual/manual-panel.tsx';
import { useScreenHelp } from '../features/manual/use-screen-help.ts';
import { ShareDialogs } from '../features/share/share-dialogs.tsx';
import { UnsavedGuard } from '../features/unsaved/unsaved-guard.tsx';
import { useT } from '../language/use-t.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { KeySheet } from './key-sheet.tsx';
import { Rail } from './rail.tsx';
import { SCREEN_ROWS } from './screen-rows.ts';
import { useShellCommands } from './use-shell-commands.ts';
import { useRailWidth } from './use-rail-width.ts';
import style from './shell.module.css';

export function Shell() {
  const t = useT();
  const navigate = useNavigate();
  const viewer = useRowViewer();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const rail = useRailWidth();
  const commands = useShellCommands(rail.toggle);
  const toggleHelp = useScreenHelp();
  useKeys([
    { keys: PALETTE_KEYS, label: 'palette.open', run: () => setPaletteOpen(true) },
    { keys: 'Shift+?', label: 'keys.help', run: () => setSheetOpen(true) },
    { keys: 'F1', label: 'keys.manual', isForTyping: true, run: toggleHelp },
    ...SCREEN_ROWS.filter((row) => isForUser(row, viewer)).map((row) => ({
      keys: `g ${row.key}`,
      label: row.keyLabel,
      run: () => navigate(row.path),
    })),
  ]);
  return (
    <div className={style.shell}>
      <a className={style.skip} href="#content">
        {t('shell.skip')}
      </a>
      <Rail
        isNarrow={rail.isNarrow}
        onToggle={rail.toggle}
        onKeys={() => setSheetOpen(true)}
        onPalette={() => setPaletteOpen(true)}
        onHelp={toggleHelp}
      />
      <div className={style.work} id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </div>
      <ManualPanel />
      <ExportWatcher />
      <AlarmWatcher />
      <AlarmNotifications />
      <AccountWatcher />
      <ShareDialogs />
      <ConnectionDialog />
      <UnsavedGuard />
      {isPaletteOpen && <CommandPalette commands={commands} onClose={() => setPaletteOpen(false)} />}
      <KeySheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}
