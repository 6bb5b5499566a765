// The menu of saved layouts: shows them, saves the wall, renames, shares and deletes.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { IconBookmarks } from '@tabler/icons-react';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { ChangedMark, LayoutRow } from './layout-row.tsx';
import { LayoutForm } from './layout-form.tsx';
import { useHomeLayout } from './home-layout.ts';
import type { LayoutContent } from './layout-content.ts';
import style from './layout-menu.module.css';
import { useLayouts } from './layout.query.ts';
import { StaleLayout } from './stale-layout.tsx';
import { useLayoutSaving } from './use-layout-saving.ts';

export interface LayoutMenuProps {
  /** What stands on the wall now, without what may not be watched. */
  readonly content: LayoutContent;
  readonly onApply: (content: LayoutContent) => void;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

export function LayoutMenu({ content, onApply, isOpen, onToggle }: LayoutMenuProps) {
  const t = useT();
  const saving = useLayoutSaving(content, onApply);
  const { active, isChanged } = saving;
  return (
    <>
      <Popover
        label={t('layouts.menu')}
        isOpen={isOpen}
        onToggle={onToggle}
        width={340}
        control={
          <Button
            aria-label={active === null ? t('layouts.menu') : `${t('layouts.menu')}: ${active.name}`}
            aria-expanded={isOpen}
            icon={<IconBookmarks size={16} stroke={1.7} aria-hidden="true" />}
            onClick={() => onToggle(!isOpen)}
          >
            <span className={style.control}>{active?.name ?? t('layouts.title')}</span>
            {isChanged && <ChangedMark />}
          </Button>
        }
      >
        <LayoutPanel
          saving={saving}
          onApply={(layout) => {
            saving.apply(layout);
            onToggle(false);
          }}
        />
      </Popover>
      <LayoutForm
        title={saving.naming?.layout ? t('layouts.edit') : t('layouts.saveNew')}
        isOpen={saving.naming !== null}
        start={saving.naming?.start ?? NO_NAME}
        onClose={saving.close}
        onSave={saving.saveNamed}
      />
      <StaleLayout
        newer={saving.stale?.newer ?? null}
        onClose={saving.close}
        onShow={saving.showNewer}
        onOverwrite={saving.overwrite}
      />
    </>
  );
}

const NO_NAME = { name: '', shared: false };

interface LayoutPanelProps {
  readonly saving: ReturnType<typeof useLayoutSaving>;
  readonly onApply: (layout: Layout) => void;
}

function PanelHead({ saving }: Pick<LayoutPanelProps, 'saving'>) {
  const t = useT();
  const { active, isChanged } = saving;
  const canSave = active?.isEditable === true;
  return (
    <div className={style.head}>
      <p className={style.current}>
        {active?.name ?? t('layouts.title')}
        {isChanged && <span className={style.changedWord}>{t('layouts.unsaved')}</span>}
      </p>
      {canSave && (
        <Button look="primary" disabled={!isChanged} isBusy={saving.isBusy} onClick={() => void saving.save()}>
          {t('layouts.save')}
        </Button>
      )}
      <Button look={canSave ? 'default' : 'primary'} onClick={saving.saveAs}>
        {t('layouts.saveAs')}
      </Button>
    </div>
  );
}

function LayoutPanel({ saving, onApply }: LayoutPanelProps) {
  const t = useT();
  const { active, isChanged, failure } = saving;
  const activeId = active?.layoutId;
  const [rowFailure, setRowFailure] = useState<unknown>(null);
  const query = useLayouts();
  const home = useHomeLayout();
  const layouts = query.data ?? [];
  const groups = [
    ['layouts.mine', layouts.filter((one) => one.isEditable)],
    ['layouts.sharedWithMe', layouts.filter((one) => !one.isEditable)],
  ] as const;
  const shownFailure = failure ?? rowFailure ?? query.error;
  return (
    <div className={style.panel}>
      <PanelHead saving={saving} />
      {shownFailure !== null && <Notice tone="error">{failureText(t, shownFailure)}</Notice>}
      {layouts.length === 0 && !query.isPending && query.error === null && (
        <p className={style.empty}>{t('layouts.empty')}</p>
      )}
      <div className={style.lists}>
        {groups.map(
          ([title, list]) =>
            list.length > 0 && (
              <section key={title} aria-label={t(title)}>
                <h3 className={style.heading}>{t(title)}</h3>
                <ul className={style.list}>
                  {list.map((layout) => (
                    <LayoutRow
                      key={layout.layoutId}
                      layout={layout}
                      isActive={layout.layoutId === activeId}
                      isChanged={layout.layoutId === activeId && isChanged}
                      isHome={layout.layoutId === home.homeId}
                      onHome={(isHome) => void home.choose(isHome ? layout.layoutId : '').catch(setRowFailure)}
                      onApply={() => onApply(layout)}
                      onEdit={() => saving.edit(layout)}
                      onDelete={() => saving.remove(layout).catch(setRowFailure)}
                    />
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
    </div>
  );
}
