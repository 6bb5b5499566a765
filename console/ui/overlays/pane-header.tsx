// The header of a pane over the page: its title, and the button that closes it.
import type { Drawer, Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { IconButton } from '../buttons/icon-button.tsx';

export interface PaneHeaderProps {
  /** What the kit makes such panes of. */
  readonly parts: typeof Drawer | typeof Modal;
  readonly title: string;
  readonly closeLabel: string;
  readonly isSmall?: boolean;
  readonly onClose: () => void;
}

/** Those that get a class of ours. */
export const PANE_PARTS = ['content', 'header', 'title', 'body', 'overlay'] as const;

export function PaneHeader({ parts, title, closeLabel, isSmall = false, onClose }: PaneHeaderProps) {
  const { Header, Title } = parts;
  return (
    <Header>
      <Title component="h2">{title}</Title>
      <IconButton label={closeLabel} size={isSmall ? 'small' : 'normal'} onClick={onClose}>
        <IconX size={isSmall ? 16 : 18} stroke={1.8} />
      </IconButton>
    </Header>
  );
}
