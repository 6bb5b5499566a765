// The site on whose network a device is looked for: asked where there is more than one.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { createContext, useContext } from 'react';
import { useT } from '../../language/use-t.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { siteNameOf, useSites } from './site.query.ts';

const ChosenSite = createContext<string>(LOCAL_SITE);
export const ChosenSiteProvider = ChosenSite.Provider;

/** Part of a call's input; nothing for the site beside the server. */
export function useChosenSite(): { readonly siteId?: string } {
  const siteId = useContext(ChosenSite);
  return siteId === LOCAL_SITE ? {} : { siteId };
}

export interface SiteFieldProps {
  readonly siteId: string;
  readonly onSite: (siteId: string) => void;
}

export function SiteField({ siteId, onSite }: SiteFieldProps) {
  const t = useT();
  const { data: sites = [] } = useSites();
  const ready = sites.filter(({ status }) => status !== 'waiting');
  if (ready.length < 2) return null;
  const options = ready.map((site) => {
    const name = siteNameOf(t, site);
    return { value: site.siteId, label: site.status === 'online' ? name : t('sites.chooseOffline', { name }) };
  });
  return (
    <SelectField
      label={t('sites.choose')}
      hint={t('sites.chooseHint')}
      value={siteId}
      options={options}
      onValue={onSite}
    />
  );
}
