// The strip of tabs: the fixed ones, then the opened ones, which are closed, and moved by dragging or by keys.
import { IconX } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { ownDrag } from '../../ui/own-drag.ts';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import style from './tab-strip.module.css';
import { TAB_FACES } from './tab-faces.ts';
import type { Workspace } from './use-workspace.ts';
import { FIXED_TABS, isFixed, type TabName } from './workspace-tabs.ts';

const tabDrag = ownDrag<TabName>();
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function TabStrip({ workspace }: { readonly workspace: Workspace }) {
  const t = useT();
  const { shown, opened } = workspace;
  const [told, setTold] = useState('');
  const focus = useFocusAfter();
  const row = useChosenInView<HTMLDivElement>(`#tab-${shown}`);
  const tabs: readonly TabName[] = [...FIXED_TABS, ...opened.map(({ tab }) => tab)];
  const nameOf = (tab: TabName): string => t(TAB_FACES[tab].title);
  const close = (tab: TabName): void => {
    if (isFixed(tab)) return;
    focus(workspace.close(tab));
    setTold(t('tabs.closed', { name: nameOf(tab) }));
  };
  const move = (tab: TabName, to: TabName | undefined): void => {
    const [from, at] = [tab, to].map((name) => opened.findIndex((one) => one.tab === name));
    if (from === undefined || at === undefined || from < 0 || at < 0 || from === at) return;
    workspace.move(from, at);
    focus(tab);
    setTold(t('home.moved', { name: nameOf(tab), place: at + 1 }));
  };
  const onKey = (event: KeyboardEvent, tab: TabName): void => {
    const step = STEPS[event.key];
    const next = step === undefined ? undefined : tabs[tabs.indexOf(tab) + step];
    if (event.key === 'Delete') close(tab);
    else if (step === undefined) return;
    else if (event.altKey) move(tab, next);
    else if (next !== undefined) {
      workspace.open(next);
      focus(next);
    }
    event.preventDefault();
  };
  return (
    <section className={style.strip} aria-label={t('playback.tabs')}>
      <div className={style.tabs} role="tablist" aria-label={t('playback.tabs')} ref={row}>
        {tabs.map((tab) => (
          <Tab
            key={tab}
            tab={tab}
            isShown={tab === shown}
            onOpen={() => workspace.open(tab)}
            onClose={() => close(tab)}
            onDropped={(dragged) => move(dragged, tab)}
            onKey={(event) => onKey(event, tab)}
          />
        ))}
      </div>
      <span className="visually-hidden" id="tab-keys">
        {t('tabs.hint')}
      </span>
      <span className="visually-hidden" role="status">
        {told}
      </span>
    </section>
  );
}

/** After the next drawing: a tab that moves in the document loses the focus, and one that opens has none yet. */
function useFocusAfter(): (tab: TabName) => void {
  const due = useRef<TabName | null>(null);
  const [, draw] = useState(0);
  useLayoutEffect(() => {
    if (due.current === null) return;
    document.getElementById(`tab-${due.current}`)?.focus();
    due.current = null;
  });
  return (tab) => {
    due.current = tab;
    draw((count) => count + 1);
  };
}

interface TabProps {
  readonly tab: TabName;
  readonly isShown: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onDropped: (dragged: TabName) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Tab({ tab, isShown, onOpen, onClose, onDropped, onKey }: TabProps) {
  const t = useT();
  const [isOver, setOver] = useState(false);
  const { title, icon: Icon } = TAB_FACES[tab];
  const isLoose = !isFixed(tab);
  const onClick = (event: MouseEvent): void => {
    // The cross is no button of its own: a tab holds no other control, and keys close it by Delete.
    const isCross = event.target instanceof Element && event.target.closest('[data-close]') !== null;
    if (isCross) onClose();
    else onOpen();
  };
  const onDragOver = (event: DragEvent): void => {
    const dragged = tabDrag.read(event.dataTransfer);
    if (!isLoose || dragged === undefined || dragged === tab) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dragged = tabDrag.read(event.dataTransfer);
    if (dragged !== undefined) onDropped(dragged);
  };
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${tab}`}
      className={style.tab}
      aria-selected={isShown}
      aria-controls={isShown ? `panel-${tab}` : undefined}
      aria-keyshortcuts={isLoose ? 'Delete Alt+ArrowLeft Alt+ArrowRight' : undefined}
      aria-describedby={isLoose ? 'tab-keys' : undefined}
      tabIndex={isShown ? 0 : -1}
      draggable={isLoose}
      data-over={isOver || undefined}
      onClick={onClick}
      onAuxClick={(event) => {
        if (event.button === 1) onClose();
      }}
      onKeyDown={onKey}
      onDragStart={(event) => tabDrag.begin(event.dataTransfer, tab, 'move')}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon size={16} stroke={1.7} aria-hidden="true" />
      {t(title)}
      {isLoose && (
        <span className={style.close} data-close aria-hidden="true" title={t('tabs.close')}>
          <IconX size={14} stroke={1.8} />
        </span>
      )}
    </button>
  );
}
