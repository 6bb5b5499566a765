// What screen readers are told of a count that changes all the time: at once, then the newest at most once in ten seconds.
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LiveRegion } from './live-region.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('announces at most one count in ten seconds, the newest', () => {
  const place = document.createElement('div');
  const root = createRoot(place);
  const said: string[] = [];
  for (let second = 0; second < 25; second += 1) {
    act(() => root.render(<LiveRegion text={`${second} new`} />));
    act(() => void vi.advanceTimersByTime(1000));
    const text = place.textContent ?? '';
    if (text !== said.at(-1)) said.push(text);
  }
  expect(said[0]).toBe('0 new');
  expect(said.length).toBe(3);
  act(() => void vi.advanceTimersByTime(10_000));
  expect(place.textContent).toBe('24 new');
  act(() => root.unmount());
});
