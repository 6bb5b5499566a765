// The documents of this installation in the language of the console (LM-04).
import { DOCUMENT_KINDS } from '@vedette/contract/calls/account-access.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useDocumentUrl } from '../../features/account/server-offer.query.ts';
import { useT } from '../../language/use-t.ts';
import { PanelFrame, PanelRow } from './panel.tsx';
import rows from '../../ui/list-rows.module.css';
import style from './personal-screen.module.css';

const LABELS = {
  privacy: 'personal.privacyDoc',
  manual: 'personal.manualDoc',
  agreement: 'personal.agreementDoc',
} as const;

export function DocumentsPanel() {
  const t = useT();
  const urlOf = useDocumentUrl();
  return (
    <PanelFrame title={t('personal.documents')} lead={t('personal.documentsLead')}>
      <ul className={rows.list}>
        {DOCUMENT_KINDS.map((kind) => (
          <PanelRow
            key={kind}
            name={
              <a className={style.documents} href={urlOf(kind)} target="_blank" rel="noreferrer">
                {t(LABELS[kind])}
              </a>
            }
          >
            <IconExternalLink size={16} stroke={1.6} aria-hidden="true" />
          </PanelRow>
        ))}
      </ul>
    </PanelFrame>
  );
}
