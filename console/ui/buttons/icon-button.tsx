// A square button that shows only an icon; its label is its name for readers and its tooltip.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import style from './icon-button.module.css';
import { Tip } from './tip.tsx';

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly label: string;
  readonly children: ReactNode;
  readonly size?: 'small' | 'normal';
  /** Draws the button as switched on; also said to readers. */
  readonly isPressed?: boolean;
  readonly tipSide?: 'top' | 'bottom' | 'left' | 'right';
  readonly shortcut?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { label, children, size = 'normal', isPressed, tipSide, shortcut, className, ...rest } = props;
  return (
    <Tip label={label} side={tipSide} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={isPressed}
        {...rest}
        className={[style.button, className].filter(Boolean).join(' ')}
        data-size={size}
      >
        {children}
      </button>
    </Tip>
  );
}
