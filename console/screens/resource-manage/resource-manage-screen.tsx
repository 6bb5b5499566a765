// resourceManage: what the account has and uses, one section beside the other, the shown one named by the address.
import { Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import { chosenSection, type ResourceSection, sectionsFor } from './resource-sections.ts';
import sectionLink from '../../ui/layout/section-link.module.css';
import style from './resource-manage.module.css';

export function ResourceManageScreen() {
  const t = useT();
  const [address] = useSearchParams();
  const sections = sectionsFor(useAuth((auth) => auth.userType));
  const chosen = chosenSection(address, sections);
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.resources')} />
      <SectionLinks sections={sections} chosen={chosen?.id} />
      <div className={style.work}>
        <Suspense fallback={<SkeletonLines label={t('common.loading')} rows={6} rowHeight={40} />}>
          {chosen !== undefined && <chosen.Section key={chosen.id} />}
        </Suspense>
      </div>
    </main>
  );
}

interface SectionLinksProps {
  readonly sections: readonly ResourceSection[];
  readonly chosen: string | undefined;
}

function SectionLinks({ sections, chosen }: SectionLinksProps) {
  const t = useT();
  const row = useChosenInView<HTMLElement>(`[data-section="${chosen}"]`);
  return (
    <nav ref={row} className={style.sections} aria-label={t('resources.sections')}>
      {sections.map(({ id, title }) => (
        <Link
          key={id}
          className={sectionLink.sectionLink}
          to={{ search: `?${new URLSearchParams({ section: id })}` }}
          data-section={id}
          aria-current={id === chosen ? 'page' : undefined}
        >
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}
