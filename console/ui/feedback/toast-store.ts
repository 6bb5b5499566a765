// Short messages on top of the page, and notifications of what happened elsewhere, for as long as the specification says.
import { MESSAGE_MS, NOTIFICATION, TOAST } from '@vedette/contract/limits.ts';
import { create } from 'zustand';

export type ToastTone = 'success' | 'error' | 'info';
export type ToastKind = 'toast' | 'notification';
export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
  readonly durationMs: number;
  /** A toast answers what the user did, in the middle; a notification comes by itself, at the top right. */
  readonly kind: ToastKind;
  /** One thing that can be done about it while it stands. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ToastState {
  readonly toasts: readonly Toast[];
}
const MOST_AT_ONCE = 3;
let lastId = 0;

export const useToasts = create<ToastState>(() => ({ toasts: [] }));

export function showToast(
  tone: ToastTone,
  text: string,
  durationMs: number = TOAST.durationMs,
  action?: Toast['action'],
): void {
  add({ kind: 'toast', tone, text, durationMs, ...(action === undefined ? {} : { action }) });
}

export function showNotification(tone: ToastTone, text: string): void {
  add({ kind: 'notification', tone, text, durationMs: NOTIFICATION.durationMs });
}

function add(shown: Omit<Toast, 'id'>): void {
  lastId += 1;
  const toast: Toast = { ...shown, id: lastId };
  useToasts.setState(({ toasts }) => {
    const others = toasts.filter(({ kind }) => kind !== toast.kind);
    // The same text again takes the place of the old one: repeated failures must not pile up.
    const before = toasts.filter(({ kind, text }) => kind === toast.kind && text !== toast.text);
    return { toasts: [...others, ...[...before, toast].slice(-MOST_AT_ONCE)] };
  });
}

export function dropToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** What can be undone can be for so long, and for as long as somebody points at it or has it in focus. */
export const UNDO_TOAST_MS = 10_000;

/** The generic error display stands for 2 seconds (ER-02). */
export const ERROR_TOAST_MS = MESSAGE_MS.middle;
