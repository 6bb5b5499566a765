// A dialog for what can't be undone, and for the few that the product names.
import { Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import style from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

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
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={width}
      // The page itself never scrolls, and the kit's scroll lock writes a style without the page's nonce.
      lockScroll={false}
      centered
      transitionProps={{ duration: 140, transition: 'fade' }}
      classNames={{
        content: style.content ?? '',
        header: style.header ?? '',
        title: style.title ?? '',
        body: style.body ?? '',
        overlay: style.overlay ?? '',
      }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title component="h2">{title}</Modal.Title>
          <IconButton label={closeLabel} size="small" onClick={onClose}>
            <IconX size={16} stroke={1.8} />
          </IconButton>
        </Modal.Header>
        <Modal.Body>
          {children}
          {actions !== undefined && <div className={style.actions}>{actions}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
