// How long messages stand: what can be undone as long as somebody points at it or has it in focus, and ten seconds otherwise.
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dropToast, ERROR_TOAST_MS, showNotification, showToast, UNDO_TOAST_MS, useToasts } from './toast-store.ts';
import { Toaster } from './toaster.tsx';

let place: HTMLElement;
let root: Root;
const undo = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  undo.mockClear();
  place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
  act(() => root.render(<Toaster />));
});
afterEach(() => {
  for (const { id } of useToasts.getState().toasts) act(() => dropToast(id));
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tellUndo = (): void => act(() => showToast('success', 'Closed', UNDO_TOAST_MS, { label: 'Undo', run: undo }));
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const button = (): HTMLElement => {
  const found = place.querySelector('button');
  if (found === null) throw new Error('no button');
  return found;
};

/** Nothing is laid out here: the message stands where the test says. */
function pointTo(x: number, y: number, pointerType = 'mouse'): void {
  const row = place.querySelector('[role=status]');
  if (row !== null) row.getBoundingClientRect = () => new DOMRect(100, 20, 300, 40);
  act(() => void document.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerType })));
}

it('a toast with undo stays for ten seconds', () => {
  tellUndo();
  pass(9999);
  expect(place.textContent).toBe('ClosedUndo');
  pass(1);
  expect(place.textContent).toBe('');
});

it('and stays while it is pointed at', () => {
  tellUndo();
  pointTo(110, 30);
  pass(60_000);
  act(() => button().click());
  expect(undo).toHaveBeenCalledOnce();
  expect(place.textContent).toBe('');
  tellUndo();
  pointTo(110, 30);
  pass(60_000);
  pointTo(110, 70);
  pass(10_000);
  expect(place.textContent).toBe('');
});

it('but not where a finger went over it, or where the pointer left the page', () => {
  tellUndo();
  pointTo(110, 30, 'touch');
  pass(10_000);
  expect(place.textContent).toBe('');
  tellUndo();
  pointTo(110, 30);
  act(() => void document.documentElement.dispatchEvent(new PointerEvent('pointerleave')));
  pass(10_000);
  expect(place.textContent).toBe('');
});

it('and stays while it is in focus', () => {
  tellUndo();
  act(() => button().focus());
  pass(60_000);
  expect(place.textContent).toBe('ClosedUndo');
  act(() => button().blur());
  pass(10_000);
  expect(place.textContent).toBe('');
});

it('[LM-01] a toast stays for three seconds', () => {
  act(() => showToast('info', 'Saved'));
  pass(2999);
  expect(place.textContent).toBe('Saved');
  pass(1);
  expect(place.textContent).toBe('');
});

it('[ER-02] [LM-01] an error toast stays for two seconds, even under the pointer', () => {
  act(() => showToast('error', 'ERROR:  1003  refused', ERROR_TOAST_MS));
  pointTo(110, 30);
  pass(1999);
  expect(place.textContent).toBe('ERROR:  1003  refused');
  pass(1);
  expect(place.textContent).toBe('');
});

it('[LM-01] a notification stays for four and a half seconds at the top right, 16 px from the next one', () => {
  act(() => showNotification('success', 'Export ready'));
  act(() => showNotification('error', 'Video loss'));
  act(() => showToast('info', 'Saved'));
  const corner = place.querySelector<HTMLElement>('[data-notifications]');
  expect(corner?.textContent).toBe('Export readyVideo loss');
  const { top, right, gap, left } = corner?.style ?? {};
  expect({ top, right, gap, left }).toEqual({ top: '16px', right: '16px', gap: '16px', left: '' });
  pass(4499);
  expect(place.textContent).toBe('Export readyVideo loss');
  pass(1);
  expect(place.textContent).toBe('');
});

it('notifications take no place of toasts: three of each are kept', () => {
  for (const no of [1, 2, 3, 4]) act(() => showNotification('info', `n${no}`));
  for (const no of [1, 2, 3, 4]) act(() => showToast('info', `t${no}`));
  expect(place.textContent).toBe('t2t3t4n2n3n4');
});
