// The operator's System screen: its sections beside each other in a navigation, one of them shown, named by the address.
import { Link, useSearchParams } from 'react-router';
import { useT } from '../../language/use-t.ts';
import {
  readSystemSection,
  SYSTEM_SECTION_TITLES,
  SYSTEM_SECTIONS,
  type SystemSection,
} from '../../navigation/system-sections.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import { SYSTEM_PANELS } from './system-panels.tsx';
import sectionLink from '../../ui/layout/section-link.module.css';
import style from './system-screen.module.css';

export function SystemScreen() {
  const t = useT();
  const [address] = useSearchParams();
  const section = readSystemSection(address);
  const Panel = SYSTEM_PANELS[section];
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.system')} />
      <div className={style.work}>
        <SectionLinks chosen={section} />
        <div className={style.panel}>
          {/* Another section is another form: what was typed and refused in one does not follow into the next. */}
          <Panel key={section} />
        </div>
      </div>
    </main>
  );
}

function SectionLinks({ chosen }: { readonly chosen: SystemSection }) {
  const t = useT();
  const row = useChosenInView<HTMLElement>(`[data-section="${chosen}"]`);
  return (
    <nav ref={row} className={style.sections} aria-label={t('system.sections')}>
      {SYSTEM_SECTIONS.map((section) => (
        <Link
          key={section}
          className={sectionLink.sectionLink}
          to={{ search: `?${new URLSearchParams({ section })}` }}
          data-section={section}
          aria-current={section === chosen ? 'page' : undefined}
        >
          {t(SYSTEM_SECTION_TITLES[section])}
        </Link>
      ))}
    </nav>
  );
}
