// The tabs of the add device panel, and which one was used last in this browser.

export const ADD_DEVICE_TABS = ['network', 'address', 'range', 'file', 'serial'] as const;
export type AddDeviceTab = (typeof ADD_DEVICE_TABS)[number];

const STORAGE_KEY = 'vedette.addDoor';

export function lastTab(): AddDeviceTab {
  const stored = localStorage.getItem(STORAGE_KEY);
  return ADD_DEVICE_TABS.find((door) => door === stored) ?? 'network';
}

export function rememberTab(door: AddDeviceTab): void {
  localStorage.setItem(STORAGE_KEY, door);
}
