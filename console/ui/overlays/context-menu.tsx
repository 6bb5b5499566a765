// A menu at the place that was pressed: by the right button, Shift+F10, or a long press.
import { Menu as KitMenu } from '@mantine/core';
import { drawMenuEntry, MENU_LOOK, type MenuEntry } from './menu.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface ContextMenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** In pixels from the corner of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

export function ContextMenu({ label, entries, at, onClose }: ContextMenuProps) {
  useFocusReturn();
  return (
    <KitMenu opened onClose={onClose} position="bottom-start" offset={2} width={240} {...MENU_LOOK}>
      <KitMenu.Target>
        <span aria-hidden="true" style={{ position: 'fixed', left: at.x, top: at.y }} />
      </KitMenu.Target>
      <KitMenu.Dropdown aria-label={label} onContextMenu={(event) => event.preventDefault()}>
        {entries.map(drawMenuEntry)}
      </KitMenu.Dropdown>
    </KitMenu>
  );
}
