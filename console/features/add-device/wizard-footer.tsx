// The foot of the wizard: each step puts its buttons there, out of the part that scrolls.
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The element that takes the buttons; null until it is drawn. */
export const FooterSlot = createContext<HTMLElement | null>(null);

export function WizardFooter({ children }: { readonly children: ReactNode }) {
  const slot = useContext(FooterSlot);
  return slot === null ? null : createPortal(children, slot);
}
