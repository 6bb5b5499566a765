// Ctrl+K: one field that finds cameras, screens and actions, worked by the keyboard alone.
import { IconBolt, IconLayoutSidebar, IconSearch, IconVideo } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { shownKey } from '../../keys/shown-key.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import type { Command, CommandKind } from './command.ts';
import style from './command-palette.module.css';
import { searchCommands } from './command-search.ts';
import { noteRecent, recentCommands } from './recent-commands.ts';
import { useCameraCommands } from './use-camera-commands.ts';
import { useKeyCommands } from './use-key-commands.ts';

const ICONS: Readonly<Record<CommandKind, typeof IconVideo>> = {
  camera: IconVideo,
  screen: IconLayoutSidebar,
  action: IconBolt,
};
const KINDS = { camera: 'palette.camera', screen: 'palette.screen', action: 'palette.action' } as const;

export interface CommandPaletteProps {
  /** Screens and actions of the frame around it; cameras and shortcuts it knows by itself. */
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function CommandPalette({ commands, onClose }: CommandPaletteProps) {
  const t = useT();
  const userId = useAuth((auth) => auth.userId);
  const listId = useId();
  const [keyWord, setKeyWord] = useState('');
  const [chosen, setChosen] = useState(0);
  const cameras = useCameraCommands();
  const actions = useKeyCommands();
  const [recent] = useState(() => recentCommands(userId));
  const found = useMemo(
    () => searchCommands([...cameras.commands, ...commands, ...actions], keyWord, recent),
    [cameras.commands, commands, actions, keyWord, recent],
  );
  const at = Math.min(chosen, found.length - 1);
  const list = useChosenInView<HTMLDivElement>(`[data-at="${at}"]`);
  const run = (command: Command | undefined, isOther: boolean): void => {
    if (command === undefined) return;
    noteRecent(userId, command.id);
    onClose();
    // The palette gives the focus back first: an action may move it elsewhere.
    setTimeout(isOther ? (command.runOther ?? command.run) : command.run);
  };
  const onKey = (event: KeyboardEvent): void => {
    const hasControl = event.ctrlKey || event.metaKey;
    // Enter may end a word of an input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setChosen((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setChosen((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at], hasControl);
    else if (event.key === 'k' && hasControl) onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('palette.title')} closeLabel={t('common.close')} width={600}>
      <div className={style.search}>
        <IconSearch size={16} stroke={1.8} aria-hidden="true" />
        <input
          className={style.input}
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={at < 0 ? undefined : `${listId}-${at}`}
          aria-label={t('palette.search')}
          placeholder={t('palette.search')}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          value={keyWord}
          onChange={(event) => {
            setKeyWord(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div ref={list} className={style.list} id={listId} role="listbox" aria-label={t('palette.title')}>
        {found.map((command, place) => (
          <CommandRow
            key={command.id}
            id={`${listId}-${place}`}
            place={place}
            command={command}
            isChosen={place === at}
            onChoose={(isOther) => run(command, isOther)}
          />
        ))}
      </div>
      <CommandFooter count={found.length} isLoading={cameras.query.isLoading} isFailed={cameras.query.isError} />
    </Dialog>
  );
}

interface CommandRowProps {
  readonly id: string;
  readonly place: number;
  readonly command: Command;
  readonly isChosen: boolean;
  readonly onChoose: (isOther: boolean) => void;
}

function CommandRow({ id, place, command, isChosen, onChoose }: CommandRowProps) {
  const t = useT();
  const { kind, label, detail = '', keys } = command;
  const Icon = ICONS[kind];
  return (
    // The field has the focus and takes the keys for its rows.
    <div
      id={id}
      data-at={place}
      className={style.row}
      role="option"
      aria-selected={isChosen}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <Icon size={16} stroke={1.7} aria-hidden="true" />
      <span className={style.label}>{label}</span>
      <span className={style.detail}>{detail === '' ? t(KINDS[kind]) : detail}</span>
      {keys?.split(' ').map((press, at) => (
        <kbd key={`${press}-${at}`} className={style.key}>
          {shownKey(press)}
        </kbd>
      ))}
    </div>
  );
}

interface CommandFooterProps {
  readonly count: number;
  readonly isLoading: boolean;
  readonly isFailed: boolean;
}

function CommandFooter({ count, isLoading, isFailed }: CommandFooterProps) {
  const t = useT();
  const state = isLoading ? t('palette.loading') : isFailed ? t('palette.failed') : '';
  return (
    <div className={style.footer}>
      <span role="status">{count === 0 && !isLoading ? t('palette.none') : state}</span>
      <span>{t('palette.hint')}</span>
    </div>
  );
}
