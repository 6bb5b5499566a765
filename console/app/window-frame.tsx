// The frame of a wall in a window of its own: no rail; connection banner and shortcut sheet as everywhere.
import { useState } from 'react';
import { Outlet } from 'react-router';
import { AlarmWatcher } from '../features/alarm/alarm-watcher.tsx';
import { useFocusMark } from '../features/desktop-notification/focus-mark.ts';
import { ManualPanel } from '../features/manual/manual-panel.tsx';
import { useScreenHelp } from '../features/manual/use-screen-help.ts';
import { useKeys } from '../keys/key-registry.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { KeySheet } from './key-sheet.tsx';
import style from './shell.module.css';

export function WindowFrame() {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const toggleHelp = useScreenHelp();
  useFocusMark();
  useKeys([
    { keys: 'Shift+?', label: 'keys.help', run: () => setSheetOpen(true) },
    { keys: 'F1', label: 'keys.manual', isForTyping: true, run: toggleHelp },
  ]);
  return (
    <div className={style.shell}>
      <div className={style.work} id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </div>
      <ManualPanel />
      <AlarmWatcher />
      <KeySheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}
