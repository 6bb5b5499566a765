// A panel that opens from a control and holds more than a menu can; Escape and a click elsewhere close it.
import { Popover as KitPopover } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import style from './popover.module.css';

export interface PopoverProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** The control; it toggles by itself. */
  readonly control: ReactElement;
  readonly children: ReactNode;
  readonly side?: 'bottom-start' | 'bottom-end' | 'top-end';
  readonly width?: number;
  /** Off where what was done in the panel gives the focus to something else. */
  readonly returnsFocus?: boolean;
}

export function Popover(props: PopoverProps) {
  const { label, isOpen, onToggle, control, children, side = 'bottom-end', width = 320 } = props;
  const { returnsFocus = true } = props;
  return (
    <KitPopover
      opened={isOpen}
      onChange={onToggle}
      position={side}
      width={width}
      offset={6}
      trapFocus
      returnFocus={returnsFocus}
      withRoles={false}
      shadow="none"
      transitionProps={{ duration: 120 }}
      classNames={{ dropdown: style.panel ?? '' }}
    >
      <KitPopover.Target>{control}</KitPopover.Target>
      <KitPopover.Dropdown role="dialog" aria-label={label}>
        {children}
      </KitPopover.Dropdown>
    </KitPopover>
  );
}
