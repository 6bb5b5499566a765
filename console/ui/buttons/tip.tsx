// A short tooltip for one control.
import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import style from './tip.module.css';

export interface TipProps {
  readonly label: string;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  readonly shortcut?: string | undefined;
  readonly isDisabled?: boolean;
  readonly children: ReactElement;
}

export function Tip({ label, side = 'bottom', shortcut, isDisabled = false, children }: TipProps) {
  return (
    <Tooltip
      label={
        <>
          {label}
          {shortcut !== undefined && <kbd className={style.key}>{shortcut}</kbd>}
        </>
      }
      position={side}
      openDelay={400}
      transitionProps={{ duration: 120 }}
      offset={6}
      disabled={isDisabled}
      classNames={{ tooltip: style.tip ?? '' }}
    >
      {children}
    </Tooltip>
  );
}
