// A dialog for what can't be undone, and for the few that the product names.
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './dialog.module.css';
import { partClasses } from './part-classes.ts';
import { PANE_PARTS, PaneHeader } from './pane-header.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly closeLabel: string;
  readonly width?: number;
  readonly children: ReactNode;
  /** Buttons, the decisive one last. */
  readonly actions?: ReactNode;
}

export function Dialog({ isOpen, onClose, title, closeLabel, width = 420, children, actions }: DialogProps) {
  // Where the page takes an open one away, the kit does not get to it.
  useFocusReturn(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={width}
      // The page itself never scrolls, and the kit's scroll lock writes a style without the page's nonce.
      lockScroll={false}
      centered
      transitionProps={{ duration: 140, transition: 'fade' }}
      classNames={partClasses(style, PANE_PARTS)}
    >
      <Modal.Overlay />
      <Modal.Content>
        <PaneHeader parts={Modal} title={title} closeLabel={closeLabel} isSmall onClose={onClose} />
        <Modal.Body>
          {children}
          {actions !== undefined && <div className={style.actions}>{actions}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
