// The organisations to which the account may add floor plans, as choices of a list.
import { useMemo } from 'react';
import { useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import type { SelectOption } from '../../ui/fields/select-field.tsx';

export function useManagedOrganizations(): readonly SelectOption[] {
  const { data } = useResources();
  const options = useOrganizationOptions();
  return useMemo(() => {
    const managed = new Set(
      (data ?? []).flatMap((resource) =>
        resource.resourceType === 'organization' && resource.organization.permission.includes('OrganizationManage')
          ? [resource.organization.organizationId]
          : [],
      ),
    );
    return options.filter(({ value }) => managed.has(value));
  }, [data, options]);
}
