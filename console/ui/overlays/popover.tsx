// A panel that opens from a control and holds more than a menu can; Escape and a click elsewhere close it.
import { Popover as KitPopover } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect } from 'react';
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
  useEscapeFromNowhere(isOpen, onToggle);
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

/** Where the button that was pressed has gone, so has the focus: the kit hears no Escape then. */
function useEscapeFromNowhere(isOpen: boolean, onToggle: (isOpen: boolean) => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.target !== document.body) return;
      event.stopImmediatePropagation();
      onToggle(false);
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, [isOpen, onToggle]);
}
