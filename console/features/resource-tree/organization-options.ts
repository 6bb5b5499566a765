// The organisations of the account as choices of a list, each with its path.
import type { Organization } from '@vedette/contract/entities.ts';
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import type { SelectOption } from '../../ui/select-field.tsx';
import { useResources } from './resources.query.ts';

/** '0' is the root. */
export const ROOT_ORGANIZATION = '0';
const MOST_LEVELS = 32;

function pathOf(organization: Organization, byId: ReadonlyMap<string, Organization>): string {
  const names: string[] = [];
  let at: Organization | undefined = organization;
  while (at !== undefined && names.length < MOST_LEVELS) {
    names.unshift(at.organizationName);
    at = byId.get(at.parentOrgId);
  }
  return names.join(' / ');
}

export function useOrganizationOptions(): SelectOption[] {
  const t = useT();
  const { data } = useResources();
  return useMemo(() => {
    const organizations = (data ?? []).flatMap((resource) =>
      resource.resourceType === 'organization' ? [resource.organization] : [],
    );
    const byId = new Map(organizations.map((organization) => [organization.organizationId, organization]));
    const order = new Intl.Collator(t.language, { numeric: true });
    const options = organizations.map((organization) => ({
      value: organization.organizationId,
      label: pathOf(organization, byId),
    }));
    options.sort((a, b) => order.compare(a.label, b.label));
    return byId.has(ROOT_ORGANIZATION)
      ? options
      : [{ value: ROOT_ORGANIZATION, label: t('add.rootOrganization') }, ...options];
  }, [data, t]);
}
