// The bound e-mail address and phone, and the dialogs that bind, change and remove them.
import { useState } from 'react';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { useHasPassword } from '../../features/identity/identity-link.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { BindDialog } from './bind-dialog.tsx';
import { type PanelProps, PanelRow } from './panel.tsx';
import { UnbindDialog } from './unbind-dialog.tsx';

export type ContactKind = 'email' | 'phone';
const KINDS: readonly ContactKind[] = ['email', 'phone'];
const LABELS = { email: 'account.contactEmail', phone: 'account.contactPhone' } as const;

export function ContactRows({ profile }: PanelProps) {
  const t = useT();
  const { data: offer } = useServerOffer();
  const hasPassword = useHasPassword();
  const [open, setOpen] = useState<{ readonly kind: ContactKind; readonly isUnbind: boolean } | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <ul className={rows.list}>
        {KINDS.map((kind) => {
          const bound = profile[kind];
          // Binding asks for the password.
          const isOffered = hasPassword && offer?.codeTargets.includes(kind) === true;
          return (
            <PanelRow
              key={kind}
              name={t(LABELS[kind])}
              detail={bound !== '' ? bound : t(isOffered ? 'personal.noContact' : 'personal.notConfigured')}
            >
              {bound !== '' && (
                <Button look="quiet" onClick={() => setOpen({ kind, isUnbind: true })}>
                  {t('personal.unbind')}
                </Button>
              )}
              {isOffered && (
                <Button onClick={() => setOpen({ kind, isUnbind: false })}>
                  {t(bound === '' ? 'personal.bind' : 'personal.rebind')}
                </Button>
              )}
            </PanelRow>
          );
        })}
      </ul>
      {open !== null && !open.isUnbind && <BindDialog kind={open.kind} onClose={close} />}
      {open?.isUnbind === true && <UnbindDialog kind={open.kind} contact={profile[open.kind]} onClose={close} />}
    </>
  );
}
