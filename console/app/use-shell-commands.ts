// The screens of the rail and the actions of the frame, as commands of the palette.
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { isForUser } from '../features/account/row-viewer.ts';
import { useRowViewer } from '../features/account/use-row-viewer.ts';
import { usePermissionFlags } from '../features/account/use-permission-flags.ts';
import type { Command } from '../features/command-palette/command.ts';
import { useT } from '../language/use-t.ts';
import { useServices } from '../services/services.ts';
import { ACTION_ROWS } from './action-rows.ts';
import { leadsSomewhere, SCREEN_ROWS } from './screen-rows.ts';

export function useShellCommands(toggleRail: () => void): readonly Command[] {
  const t = useT();
  const { caller, session } = useServices();
  const go = useNavigate();
  const flags = usePermissionFlags();
  const viewer = useRowViewer();
  return useMemo(() => {
    const navigate = (address: string): void => void go(address);
    const context = { caller, navigate, toggleRail, signOut: () => void session.signOut() };
    const screens = SCREEN_ROWS.filter((row) => isForUser(row, viewer) && leadsSomewhere(row, flags));
    const actions = ACTION_ROWS.filter((row) => (viewer.isSignedIn || !row.needsSession) && leadsSomewhere(row, flags));
    return [
      ...screens.map(
        ({ path, title, key }): Command => ({
          id: `screen:${path}`,
          kind: 'screen',
          label: t(title),
          keys: `g ${key}`,
          run: () => navigate(path),
        }),
      ),
      ...screens.flatMap(({ title: screen, sections = [] }) =>
        sections.map(
          ({ address, title }): Command => ({
            id: `screen:${address}`,
            kind: 'screen',
            label: t(title),
            detail: t(screen),
            run: () => navigate(address),
          }),
        ),
      ),
      ...actions.map(
        ({ id, label, run }): Command => ({
          id: `action:${id}`,
          kind: 'action',
          label: t(label),
          run: () => run(context),
        }),
      ),
    ];
  }, [t, caller, session, go, flags, viewer, toggleRail]);
}
