// One saved layout in the menu: a click shows it; who may change it finds its name, sharing and deletion here.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { splitName } from '@vedette/rules/split-name.ts';
import { IconHome, IconHomeFilled, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import style from './layout-menu.module.css';

export interface LayoutRowProps {
  readonly layout: Layout;
  readonly isActive: boolean;
  readonly isChanged: boolean;
  /** The account begins with it. */
  readonly isHome: boolean;
  readonly onHome: (isHome: boolean) => void;
  readonly onApply: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => Promise<void>;
}

export function LayoutRow(props: LayoutRowProps) {
  const { layout, isActive, isChanged, isHome, onHome, onApply, onEdit } = props;
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  if (isAsking) return <DeleteQuestion {...props} onKeep={() => setAsking(false)} />;
  const { name, split, shared, hiddenTotal, isEditable } = layout;
  return (
    <li className={style.row} data-active={isActive || undefined}>
      <button type="button" className={style.apply} aria-current={isActive || undefined} onClick={onApply}>
        <span className={style.split}>{splitName(split)}</span>
        <span className={style.words}>
          <span className={style.name}>
            {name}
            {isChanged && <ChangedMark />}
          </span>
          <span className={style.facts} title={hiddenTotal > 0 ? t.plural('layouts.hidden', hiddenTotal) : undefined}>
            {factsOf(t, layout).join(' · ')}
          </span>
        </span>
        {shared && <IconUsers className={style.people ?? ''} size={15} stroke={1.7} aria-hidden="true" />}
      </button>
      <span className={style.edits}>
        <IconButton
          size="small"
          label={t(isHome ? 'layouts.homeOff' : 'layouts.homeOn', { name })}
          isPressed={isHome}
          onClick={() => onHome(!isHome)}
        >
          {isHome ? <IconHomeFilled size={15} /> : <IconHome size={15} stroke={1.7} />}
        </IconButton>
      </span>
      {isEditable && (
        <span className={style.edits}>
          <IconButton size="small" label={t('layouts.editOne', { name })} onClick={onEdit}>
            <IconPencil size={15} stroke={1.7} />
          </IconButton>
          <IconButton size="small" label={t('layouts.delete', { name })} onClick={() => setAsking(true)}>
            <IconTrash size={15} stroke={1.7} />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function factsOf(t: ReturnType<typeof useT>, { tiles, shared, hiddenTotal, isEditable, creator }: Layout): string[] {
  const facts = [t.plural('layouts.cameras', tiles.length)];
  if (shared) facts.push(isEditable ? t('layouts.shared') : t('layouts.by', { name: creator }));
  if (hiddenTotal > 0) facts.push(t('layouts.hiddenShort', { count: hiddenTotal }));
  return facts;
}

/** The wall is not any more as it was saved. */
export function ChangedMark() {
  const t = useT();
  return (
    <span className={style.changed} title={t('layouts.unsavedDetail')}>
      <span aria-hidden="true">•</span>
      <span className="visually-hidden">{t('layouts.unsaved')}</span>
    </span>
  );
}

function DeleteQuestion({ layout, onDelete, onKeep }: LayoutRowProps & { readonly onKeep: () => void }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onDelete();
  };
  return (
    <li className={style.question}>
      <p>
        {t('layouts.deleteAsk', { name: layout.name })} {layout.shared && t('layouts.deleteShared')}
      </p>
      <div className={style.formActions}>
        <Button onClick={onKeep}>{t('layouts.keep')}</Button>
        <Button look="danger" autoFocus isBusy={isBusy} onClick={() => void confirm()}>
          {t('common.delete')}
        </Button>
      </div>
    </li>
  );
}
