// Whether the theme dialog is open: several menus open the one dialog of the page.
import { create } from 'zustand';

export const useThemeDialog = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function openThemeDialog(): void {
  useThemeDialog.setState({ isOpen: true });
}

export function closeThemeDialog(): void {
  useThemeDialog.setState({ isOpen: false });
}
