// The third region of a page: details open here, never in a stack of dialogs.
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import style from './inspector.module.css';
import { useFocusReturn } from './use-focus-return.ts';

export interface InspectorProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Stays in sight below the content. */
  readonly footer?: ReactNode;
  /** Moves the focus to the panel when it opens. */
  readonly isFocused?: boolean;
  /** For lists and tables. */
  readonly isWide?: boolean;
}

export function Inspector(props: InspectorProps) {
  const { title, closeLabel, onClose, children, footer, isFocused = false, isWide = false } = props;
  const panel = useRef<HTMLElement>(null);
  useFocusReturn();
  useEffect(() => {
    if (isFocused) panel.current?.focus();
  }, [isFocused]);
  return (
    <aside
      ref={panel}
      className={style.panel}
      data-wide={isWide || undefined}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className={style.header}>
        <h2 className={style.title} title={title}>
          {title}
        </h2>
        <IconButton label={closeLabel} size="small" onClick={onClose} tipSide="left" shortcut="Esc">
          <IconX size={16} stroke={1.8} />
        </IconButton>
      </header>
      <div className={style.body}>{children}</div>
      {footer !== undefined && <footer className={style.footer}>{footer}</footer>}
    </aside>
  );
}
