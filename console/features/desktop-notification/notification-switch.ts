// Whether this window may show notifications on the desktop: a shell that can bring it to the front, the permission, and the user's own switch.
import { create } from 'zustand';
import { shellTakes } from '../../bridge/native-shell.ts';

const KEY = 'vedette.alarmNotifications';

/** On at first: who installed the shell wants to hear of alarms. */
export const useNotificationSwitch = create<{ readonly isOn: boolean }>(() => ({
  isOn: localStorage.getItem(KEY) !== 'off',
}));

export function setNotifications(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
  useNotificationSwitch.setState({ isOn });
}

/** In a browser the way is a notification by web push, which also comes while no page is open. */
export function canShowNotifications(): boolean {
  return shellTakes('window/raise') && 'Notification' in window && Notification.permission === 'granted';
}
