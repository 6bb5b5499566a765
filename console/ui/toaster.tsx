// Draws the short messages, 20 px from the top (LM-01).
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { dropToast, type Toast, useToasts } from './toast-store.ts';
import style from './toaster.module.css';

const ICONS = { success: IconCheck, error: IconAlertTriangle, info: IconInfoCircle };

function ToastRow({ toast }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dropToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast]);
  const Icon = ICONS[toast.tone];
  return (
    <div className={style.toast} data-tone={toast.tone} role={toast.tone === 'error' ? 'alert' : 'status'}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      <span>{toast.text}</span>
      {toast.action !== undefined && (
        <button
          type="button"
          className={style.action}
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

export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div className={style.stack}>
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
