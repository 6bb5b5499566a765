// Draws the short messages, 20 px from the top, and the notifications at the top right, 16 px apart (LM-01); both below the bar of a screen.
import { NOTIFICATION } from '@vedette/contract/limits.ts';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { dropToast, type Toast, type ToastKind, useToasts } from './toast-store.ts';
import style from './toaster.module.css';

const ICONS = { success: IconCheck, error: IconAlertTriangle, info: IconInfoCircle };

/** Where the pointer is, as clicks pass through what is said to what is below it. */
function usePointedAt(row: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isPointedAt, setPointedAt] = useState(false);
  useEffect(() => {
    if (!isWatched) return;
    const look = ({ pointerType, clientX: x, clientY: y }: PointerEvent): void => {
      // A finger that is lifted says nothing.
      if (pointerType === 'touch') return;
      const { left, right, top, bottom } = row.current?.getBoundingClientRect() ?? new DOMRect();
      setPointedAt(x >= left && x < right && y >= top && y < bottom);
    };
    const leave = (): void => setPointedAt(false);
    const page = document.documentElement;
    document.addEventListener('pointermove', look);
    page.addEventListener('pointerleave', leave);
    return () => {
      document.removeEventListener('pointermove', look);
      page.removeEventListener('pointerleave', leave);
    };
  }, [row, isWatched]);
  return isPointedAt;
}

function ToastRow({ toast }: { readonly toast: Toast }) {
  const row = useRef<HTMLDivElement>(null);
  const [isFocused, setFocused] = useState(false);
  // Who is about to act on it is not raced.
  const isHeld = usePointedAt(row, toast.action !== undefined) || isFocused;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dropToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  const Icon = ICONS[toast.tone];
  return (
    <div ref={row} className={style.toast} data-tone={toast.tone} role={toast.tone === 'error' ? 'alert' : 'status'}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      <span>{toast.text}</span>
      {toast.action !== undefined && (
        <button
          type="button"
          className={style.action}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onClick={() => {
            toast.action?.run();
            dropToast(toast.id);
          }}
        >
          {toast.action.label}
        </button>
      )}
    </div>
  );
}

const CORNER = { top: NOTIFICATION.gapPx, right: NOTIFICATION.gapPx, gap: NOTIFICATION.gapPx };

export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  const rowsOf = (wanted: ToastKind) =>
    toasts.filter(({ kind }) => kind === wanted).map((toast) => <ToastRow key={toast.id} toast={toast} />);
  return (
    <>
      <div className={style.stack}>{rowsOf('toast')}</div>
      <div className={style.corner} style={CORNER} data-notifications>
        {rowsOf('notification')}
      </div>
    </>
  );
}
