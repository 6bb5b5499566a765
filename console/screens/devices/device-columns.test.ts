// Tests of the chosen columns of the table of devices.
// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { readColumns, showColumn, useDeviceColumns } from './device-columns.ts';

const before = useDeviceColumns.getState();
afterEach(() => {
  localStorage.clear();
  useDeviceColumns.setState(before);
});

it('are kept in this browser', () => {
  showColumn('serial', true);
  showColumn('address', false);
  const kept = readColumns(localStorage.getItem('vedette.deviceColumns'));
  expect(kept).toEqual(useDeviceColumns.getState().shown);
  expect([kept.has('serial'), kept.has('address'), kept.has('status')]).toEqual([true, false, true]);
});

it('that a later or earlier version named are left out, and none at all is a choice', () => {
  expect([...readColumns('status,altitude')]).toEqual(['status']);
  expect([...readColumns('')]).toEqual([]);
});
