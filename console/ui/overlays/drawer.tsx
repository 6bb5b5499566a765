// A pane over the page from its left edge, where there is no room beside it; closes by Escape, its button and a press beside it.
import { Drawer as KitDrawer } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './drawer.module.css';
import { partClasses } from './part-classes.ts';
import { PANE_PARTS, PaneHeader } from './pane-header.tsx';

export interface DrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

const WIDTH_PX = 320;

export function Drawer({ isOpen, onClose, title, closeLabel, children }: DrawerProps) {
  return (
    <KitDrawer.Root
      opened={isOpen}
      onClose={onClose}
      position="left"
      size={WIDTH_PX}
      // The page itself never scrolls, and the kit's scroll lock writes a style without the page's nonce.
      lockScroll={false}
      transitionProps={{ duration: 160, transition: 'slide-right' }}
      classNames={partClasses(style, PANE_PARTS)}
    >
      <KitDrawer.Overlay />
      <KitDrawer.Content>
        <PaneHeader parts={KitDrawer} title={title} closeLabel={closeLabel} onClose={onClose} />
        <KitDrawer.Body>{children}</KitDrawer.Body>
      </KitDrawer.Content>
    </KitDrawer.Root>
  );
}
