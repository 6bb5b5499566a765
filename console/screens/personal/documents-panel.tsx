// The documents of this installation in the language of the console (LM-04).
import { useQuery } from '@tanstack/react-query';
import { DOCUMENT_KINDS } from '@vedette/contract/calls/account-access.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { readP2pVersion } from '../../bridge/p2p-version.ts';
import { useDocumentUrl } from '../../features/account/server-offer.query.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { PanelFrame, PanelRow } from './panel.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import style from './personal-screen.module.css';

const LABELS = {
  privacy: 'personal.privacyDoc',
  manual: 'personal.manualDoc',
  agreement: 'personal.agreementDoc',
} as const;

export function DocumentsPanel() {
  const t = useT();
  const urlOf = useDocumentUrl();
  const { mode } = useServices();
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
        {mode === 'client' && <DirectProgram />}
      </ul>
    </PanelFrame>
  );
}

/** Of the machine that the page runs on: a browser has no business there. */
function DirectProgram() {
  const t = useT();
  const { data } = useQuery({ queryKey: ['p2p/version'], queryFn: () => readP2pVersion(), staleTime: 60_000 });
  const detail = data === undefined ? t('common.loading') : (data ?? t('personal.directNone'));
  return <PanelRow name={t('personal.direct')} detail={detail} />;
}
