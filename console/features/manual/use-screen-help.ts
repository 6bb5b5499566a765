// Opens and closes the panel at the place of the manual that explains the shown screen; each row of the route table names it.
import { useMatches, useNavigate, useSearchParams } from 'react-router';
import { PATHS } from '../../navigation/paths.ts';
import { helpAt, type ScreenHelp } from './chapters.ts';
import { toggleManual } from './manual-panel-store.ts';

export function useScreenHelp(): () => void {
  const matches = useMatches();
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const row = matches.findLast(({ handle }) => handle !== undefined)?.handle as { help: ScreenHelp } | undefined;
  return () => {
    if (row === undefined) void navigate(PATHS.help);
    else toggleManual(helpAt(row.help, address));
  };
}
