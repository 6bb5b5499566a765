// The addresses under which other machines reach this installation.
import { useQuery } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';
import { linkOrigins } from './link-origins.ts';

/** Null while they are asked for; the address of this page where that fails. */
export function useLinkOrigins(): readonly string[] | null {
  const caller = useCaller();
  const { data, isError } = useQuery({
    queryKey: ['system/address/list'],
    queryFn: ({ signal }) => caller.ask('system/address/list', {}, { signal, showError: false }),
  });
  const pageOrigin = window.location.origin;
  if (data !== undefined) return linkOrigins({ pageOrigin, ...data });
  return isError ? [pageOrigin] : null;
}
