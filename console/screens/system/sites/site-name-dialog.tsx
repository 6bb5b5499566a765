// Names a site: a new one, whose code is asked for with it, or one that is there.
import type { Site, SiteCode } from '@vedette/contract/calls/site.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { SITE_NAME_MAX } from '@vedette/contract/remote-site.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { siteNameOf, useSiteChanges } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import style from './sites-part.module.css';

export interface SiteNameDialogProps {
  /** Null for a new one. */
  readonly site: Site | null;
  readonly onClose: () => void;
  readonly onAdded: (code: SiteCode) => void;
}

const FORM = 'site-name';

function problemOf(t: Translate, name: string): string | null {
  if (name === '') return t('sites.nameRequired');
  if (name.length > SITE_NAME_MAX) return t('sites.nameLong', { max: SITE_NAME_MAX });
  return /[<>]/.test(name) ? t('sites.nameForm') : null;
}

export function SiteNameDialog({ site, onClose, onAdded }: SiteNameDialogProps) {
  const t = useT();
  const { add, rename } = useSiteChanges();
  const before = site === null ? '' : siteNameOf(t, site);
  const [text, setText] = useState(before);
  const [isTried, setTried] = useState(false);
  const [saving, setSaving] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  const name = text.trim();
  const problem = problemOf(t, name);
  async function save(): Promise<void> {
    setSaving({ isBusy: true, failure: null });
    try {
      if (site === null) return onAdded(await add(name));
      await rename(site.siteId, name);
      showToast('success', t('sites.saved'));
      onClose();
    } catch (failure) {
      setSaving({ isBusy: false, failure });
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (problem === null && !saving.isBusy) void save();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={site === null ? t('sites.addTitle') : t('sites.renameTitle', { name: before })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isBusy={saving.isBusy}>
            {site === null ? t('sites.add') : t('sites.rename')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={submit} noValidate>
        <TextField
          label={t('sites.name')}
          value={text}
          onValue={setText}
          autoFocus
          autoComplete="off"
          hint={t('sites.nameHint')}
          error={isTried || name.length > SITE_NAME_MAX ? problem : null}
        />
        {saving.failure !== null && <Notice tone="error">{failureText(t, saving.failure)}</Notice>}
      </form>
    </Dialog>
  );
}
