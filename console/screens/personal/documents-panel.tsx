// The documents of this installation in the language of the console (LM-04).
import { webAddress } from '../../browser/web-address.ts';
import { useQuery } from '@tanstack/react-query';
import { DOCUMENT_KINDS } from '@vedette/contract/calls/account-access.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { type P2pBuild, p2pBuildFor, type P2pVersion, findP2pVersion } from '../../bridge/p2p-version.ts';
import { useDocumentUrl } from '../../features/account/server-offer.query.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';
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
  const oldWebsite = useClientState((state) => state.environment.oldWebsite);
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
        {oldWebsite !== '' && (
          <PanelRow
            name={
              <a className={style.documents} href={webAddress(oldWebsite)} target="_blank" rel="noreferrer">
                {t('personal.oldWebsite')}
              </a>
            }
          >
            <IconExternalLink size={16} stroke={1.6} aria-hidden="true" />
          </PanelRow>
        )}
        {mode === 'client' && <DirectProgram />}
      </ul>
    </PanelFrame>
  );
}

/** Of the machine that the page runs on: a browser has no business there. */
function DirectProgram() {
  const t = useT();
  const environment = useClientState((state) => state.environment);
  const { data } = useQuery({ queryKey: ['p2p/version'], queryFn: findP2pVersion, staleTime: 60_000 });
  return <PanelRow name={t('personal.direct')} detail={directText(t, data, p2pBuildFor(environment))} />;
}

function directText(t: Translate, found: P2pVersion | null | undefined, expected: P2pBuild): string {
  if (found === undefined) return t('common.loading');
  if (found === null) return t('personal.directNone');
  const { version, build } = found;
  if (build === null) return version;
  const text = t(`personal.directBuild_${build}`, { version });
  return build === expected ? text : `${text}. ${t('personal.directOther')}`;
}
