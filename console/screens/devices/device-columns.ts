// The columns of the table of devices that this browser shows; the name is always there.
import { create } from 'zustand';

export const OPTIONAL_COLUMNS = [
  'status',
  'address',
  'model',
  'firmware',
  'type',
  'organization',
  'serial',
  'latestOnline',
  'onlineSince',
  'kbps',
  'lastRecording',
  'thumbnail',
] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];

/** What a site measures, beside what the list of devices says. */
export const MEASURED_COLUMNS: readonly OptionalColumn[] = ['onlineSince', 'kbps', 'lastRecording'];

const STORAGE_KEY = 'vedette.deviceColumns';
const USUAL: readonly OptionalColumn[] = ['status', 'address', 'model', 'organization', 'latestOnline'];

export function readColumns(stored: string | null): ReadonlySet<OptionalColumn> {
  if (stored === null) return new Set(USUAL);
  const names = stored.split(',');
  return new Set(OPTIONAL_COLUMNS.filter((column) => names.includes(column)));
}

export const useDeviceColumns = create<{ readonly shown: ReadonlySet<OptionalColumn> }>(() => ({
  shown: readColumns(localStorage.getItem(STORAGE_KEY)),
}));

export function showColumn(column: OptionalColumn, isShown: boolean): void {
  const { shown } = useDeviceColumns.getState();
  const next = OPTIONAL_COLUMNS.filter((one) => (one === column ? isShown : shown.has(one)));
  localStorage.setItem(STORAGE_KEY, next.join(','));
  useDeviceColumns.setState({ shown: new Set(next) });
}
