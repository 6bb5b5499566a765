// Asks before a site is forgotten.
import type { Site } from '@vedette/contract/calls/site.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { isFailure } from '../../../calls/call-failure.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { siteNameOf, useSiteChanges } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';

export function RemoveSite({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
  const t = useT();
  const { remove } = useSiteChanges();
  return (
    <ConfirmDialog
      title={t('sites.removeTitle', { name: siteNameOf(t, site) })}
      detail={t('sites.removeDetail')}
      confirmLabel={t('sites.removeConfirm')}
      keepLabel={t('sites.keep')}
      done={t('sites.removed')}
      onConfirm={() => remove(site.siteId)}
      onClose={onClose}
      sayFailure={(failure) => (isFailure(failure, ERROR_CODES.alreadyExists) ? t('sites.removeBusy') : null)}
    />
  );
}
