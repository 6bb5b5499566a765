// The organisations of the account as choices of a list, each with its path in words, and that path in ids.
import type { Organization } from '@vedette/contract/entities.ts';
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import type { SelectOption } from '../../ui/fields/select-field.tsx';
import { useResources } from './resources.query.ts';

/** '0' is the root. */
export const ROOT_ORGANIZATION = '0';
const MOST_LEVELS = 32;

type Organizations = ReadonlyMap<string, Organization>;

/** From the root to it. */
function pathOf(organization: Organization | undefined, byId: Organizations): Organization[] {
  const path: Organization[] = [];
  let at = organization;
  while (at !== undefined && path.length < MOST_LEVELS) {
    path.unshift(at);
    at = byId.get(at.parentOrgId);
  }
  return path;
}

function useOrganizations(): Organizations {
  const { data } = useResources();
  return useMemo(() => {
    const found = (data ?? []).flatMap((resource) =>
      resource.resourceType === 'organization' ? [resource.organization] : [],
    );
    return new Map(found.map((organization) => [organization.organizationId, organization]));
  }, [data]);
}

export function useOrganizationPath(organizationId: string): readonly string[] {
  const byId = useOrganizations();
  return pathOf(byId.get(organizationId), byId).map((organization) => organization.organizationId);
}

export function useOrganizationOptions(): SelectOption[] {
  const t = useT();
  const byId = useOrganizations();
  return useMemo(() => {
    const order = new Intl.Collator(t.shown, { numeric: true });
    const options = [...byId.values()].map((organization) => ({
      value: organization.organizationId,
      label: pathOf(organization, byId)
        .map(({ organizationName }) => organizationName)
        .join(' / '),
    }));
    options.sort((a, b) => order.compare(a.label, b.label));
    return byId.has(ROOT_ORGANIZATION)
      ? options
      : [{ value: ROOT_ORGANIZATION, label: t('add.rootOrganization') }, ...options];
  }, [byId, t]);
}
