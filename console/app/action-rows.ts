// One row per action of the frame that has no key of its own: the command palette is built from these rows.
import type { Permission } from '@vedette/contract/permissions.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { Caller } from '../calls/caller.ts';
import { saveLanguage, saveTheme } from '../features/preferences/account-preferences.ts';
import { ADD_DEVICE_ADDRESS, CARDS_ADDRESS, OVERVIEW_ADDRESS, PATHS } from '../navigation/paths.ts';
import { readTheme, type ThemeChoice } from '../ui/theme/theme-choice.ts';

export interface ActionContext {
  readonly caller: Caller;
  readonly navigate: (address: string) => void;
  readonly signOut: () => void;
  readonly toggleRail: () => void;
}

export interface ActionRow {
  readonly id: string;
  readonly label: PlainKey;
  /** Offered with one of these alone; to all where absent. */
  readonly flags?: readonly Permission[];
  /** True where it makes no sense without an account. */
  readonly needsSession?: boolean;
  readonly run: (context: ActionContext) => void;
}

function chooseTheme(choice: ThemeChoice) {
  return ({ caller }: ActionContext): void => {
    void saveTheme(caller, { choice, accent: readTheme().accent });
  };
}

export const ACTION_ROWS: readonly ActionRow[] = [
  {
    id: 'addDevice',
    label: 'devices.add',
    flags: ['DeviceManage'],
    needsSession: true,
    run: ({ navigate }) => navigate(ADD_DEVICE_ADDRESS),
  },
  { id: 'overview', label: 'screen.overview', needsSession: true, run: ({ navigate }) => navigate(OVERVIEW_ADDRESS) },
  { id: 'cards', label: 'screen.home', needsSession: true, run: ({ navigate }) => navigate(CARDS_ADDRESS) },
  {
    id: 'personal',
    label: 'screen.personal',
    needsSession: true,
    run: ({ navigate }) => navigate(PATHS.personalContainer),
  },
  { id: 'manual', label: 'manual.title', run: ({ navigate }) => navigate(PATHS.help) },
  { id: 'dark', label: 'palette.dark', run: chooseTheme('dark') },
  { id: 'light', label: 'palette.light', run: chooseTheme('light') },
  { id: 'english', label: 'palette.english', run: ({ caller }) => void saveLanguage(caller, 'en') },
  { id: 'chinese', label: 'palette.chinese', run: ({ caller }) => void saveLanguage(caller, 'zh-CN') },
  { id: 'rail', label: 'palette.rail', run: ({ toggleRail }) => toggleRail() },
  { id: 'signOut', label: 'shell.signOut', needsSession: true, run: ({ signOut }) => signOut() },
];
