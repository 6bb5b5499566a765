// Every keyboard shortcut of the console: bound here, listed in the `?` sheet, ignored while typing.
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { create } from 'zustand';

export interface KeyBinding {
  /** tinykeys notation: `g l`, `$mod+k`, `Shift+?`. */
  readonly keys: string;
  /** Other presses that do the same; not listed in the sheet. */
  readonly also?: readonly string[];
  /** Works in fields too, and where single keys are off: for function keys, which write nothing. */
  readonly isForTyping?: boolean;
  readonly label: PlainKey;
  /** Heading in the sheet; `keys.groupGeneral` by default. */
  readonly group?: PlainKey;
  /** False leaves the key to whoever has the focus, untouched. */
  readonly when?: (event: KeyboardEvent) => boolean;
  readonly run: (event: KeyboardEvent) => void;
}

interface KeyState {
  readonly bindings: readonly KeyBinding[];
  /** Single letters can be switched off (WCAG 2.1.4). */
  readonly hasSingleKeys: boolean;
}
const STORAGE_KEY = 'vedette.singleKeys';

export const useKeyStore = create<KeyState>(() => ({
  bindings: [],
  hasSingleKeys: localStorage.getItem(STORAGE_KEY) !== 'off',
}));

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  useKeyStore.setState({ hasSingleKeys: isOn });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Radio buttons and the like take no letters: after a click on one, the shortcuts go on.
  if (target instanceof HTMLInputElement) return !/^(?:radio|checkbox|button|submit|range)$/.test(target.type);
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName);
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** tinykeys waits this long for the next key of a sequence. */
const SEQUENCE_MS = 1000;
let lastKeys: readonly { readonly key: string; readonly at: number }[] = [];
window.addEventListener(
  'keydown',
  ({ key, timeStamp }) => {
    lastKeys = [...lastKeys.slice(-1), { key, at: timeStamp }];
  },
  { capture: true },
);

/** The `l` of `g l` is not an `l` of its own. */
function endsSequence(event: KeyboardEvent, keys: string): boolean {
  const [before] = lastKeys;
  if (keys.includes(' ') || lastKeys.length < 2 || before === undefined) return false;
  if (event.timeStamp - before.at > SEQUENCE_MS) return false;
  return useKeyStore.getState().bindings.some((other) => other.keys === `${before.key} ${event.key}`);
}

function bind(binding: KeyBinding): () => void {
  const run = (event: KeyboardEvent): void => {
    if (endsSequence(event, binding.keys)) return;
    if (binding.isForTyping !== true && !hasModifier(event)) {
      if (isTyping(event.target) || !useKeyStore.getState().hasSingleKeys) return;
    }
    if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
    if (binding.when?.(event) === false) return;
    event.preventDefault();
    binding.run(event);
  };
  // What is typed into fields is judged above; left to itself the library would also skip radio buttons.
  const ignore = (event: KeyboardEvent): boolean => event.repeat || event.isComposing;
  const presses = [binding.keys, ...(binding.also ?? [])];
  const unbind = tinykeys(window, Object.fromEntries(presses.map((press) => [press, run])), { ignore });
  useKeyStore.setState(({ bindings }) => ({ bindings: [...bindings, binding] }));
  return () => {
    unbind();
    useKeyStore.setState(({ bindings }) => ({ bindings: bindings.filter((other) => other !== binding) }));
  };
}

/** Not a press of any key: what a binding does, asked for by name. */
const BY_NAME = new KeyboardEvent('keydown');

export function canRun({ when }: KeyBinding): boolean {
  return when?.(BY_NAME) !== false;
}

export function runBinding({ run }: KeyBinding): void {
  run(BY_NAME);
}

/** Binds shortcuts while the component is mounted; `when` and `run` may change with every render. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const newest = useRef(bindings);
  newest.current = bindings;
  const signature = bindings.map((binding) => `${binding.keys}|${binding.label}`).join(',');
  useEffect(() => {
    const unbinds = newest.current.map((binding, at) =>
      bind({
        ...binding,
        when: (event) => newest.current[at]?.when?.(event) !== false,
        run: (event) => newest.current[at]?.run(event),
      }),
    );
    return () => {
      for (const unbind of unbinds) unbind();
    };
  }, [signature]);
}
