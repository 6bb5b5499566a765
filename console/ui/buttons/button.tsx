// The button: one primary action per view, the rest quiet.
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import style from './button.module.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'default' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'large';
  readonly icon?: ReactNode;
  /** Shows a spinner and refuses clicks, without changing its width or losing the focus. */
  readonly isBusy?: boolean;
  readonly isWide?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const {
    look = 'default',
    size = 'normal',
    icon,
    isBusy = false,
    isWide = false,
    className,
    children,
    onClick,
    ...rest
  } = props;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // Also what Enter in a field of its form would send.
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={[style.button, className].filter(Boolean).join(' ')}
      data-look={look}
      data-size={size}
      data-wide={isWide || undefined}
      data-busy={isBusy || undefined}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={press}
    >
      <span className={style.content}>
        {icon}
        {icon === undefined ? children : <span data-words>{children}</span>}
      </span>
      {isBusy && <span className={style.spinner} aria-hidden="true" />}
    </button>
  );
}
