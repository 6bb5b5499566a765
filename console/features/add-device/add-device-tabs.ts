// The tabs of the add device panel, and which one was used last in this browser.

export const ADD_DEVICE_TABS = ['network', 'address', 'range', 'file', 'serial'] as const;
export type AddDeviceTab = (typeof ADD_DEVICE_TABS)[number];

const STORAGE_KEY = 'vedette.addDoor';

export function lastTab(): AddDeviceTab {
  const stored = localStorage.getItem(STORAGE_KEY);
  return ADD_DEVICE_TABS.find((tab) => tab === stored) ?? 'network';
}

export function rememberTab(tab: AddDeviceTab): void {
  localStorage.setItem(STORAGE_KEY, tab);
}
