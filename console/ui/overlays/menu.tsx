// A menu that opens from a control.
import { Menu as KitMenu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import style from './menu.module.css';

export type MenuEntry =
  | { readonly kind: 'title'; readonly label: string }
  | { readonly kind: 'line' }
  | {
      readonly kind: 'item';
      readonly label: ReactNode;
      readonly onChoose: () => void;
      readonly icon?: ReactNode;
      readonly shortcut?: string;
      readonly isChosen?: boolean;
      readonly isDanger?: boolean;
      readonly isDisabled?: boolean;
      readonly lang?: string;
    };

export interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly children: ReactElement;
  readonly side?: 'bottom-start' | 'bottom-end' | 'right-end' | 'top-start';
  readonly width?: number;
}

/** One look for the menus of controls and of places. */
export const MENU_LOOK = {
  withInitialFocusPlaceholder: false,
  shadow: 'none',
  transitionProps: { duration: 120 },
  classNames: {
    dropdown: style.list ?? '',
    item: style.item ?? '',
    label: style.title ?? '',
    divider: style.line ?? '',
    itemSection: style.side ?? '',
    itemIndicator: style.indicator ?? '',
  },
} as const;

export function Menu({ label, entries, children, side = 'bottom-start', width = 220 }: MenuProps) {
  return (
    <KitMenu position={side} width={width} offset={6} {...MENU_LOOK}>
      <KitMenu.Target>{children}</KitMenu.Target>
      <KitMenu.Dropdown aria-label={label}>{entries.map(drawMenuEntry)}</KitMenu.Dropdown>
    </KitMenu>
  );
}

export function drawMenuEntry(entry: MenuEntry, at: number): ReactNode {
  if (entry.kind === 'line') return <KitMenu.Divider key={at} />;
  if (entry.kind === 'title') return <KitMenu.Label key={at}>{entry.label}</KitMenu.Label>;
  const common = {
    disabled: entry.isDisabled ?? false,
    'data-danger': entry.isDanger || undefined,
    ...(entry.lang === undefined ? {} : { lang: entry.lang }),
  };
  if (entry.isChosen !== undefined)
    return (
      <KitMenu.RadioItem
        key={at}
        {...common}
        value={String(at)}
        checked={entry.isChosen}
        // `onChange` is silent for the chosen one, which may lead somewhere all the same.
        onClick={entry.onChoose}
        closeMenuOnClick
        rightSection={
          <IconCheck size={15} stroke={2} aria-hidden="true" visibility={entry.isChosen ? 'visible' : 'hidden'} />
        }
      >
        {entry.label}
      </KitMenu.RadioItem>
    );
  return (
    <KitMenu.Item key={at} {...common} leftSection={entry.icon} rightSection={entry.shortcut} onClick={entry.onChoose}>
      {entry.label}
    </KitMenu.Item>
  );
}
