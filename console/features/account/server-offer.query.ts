// What the server offers to whoever has no session, and its documents.
import type { DocumentKind } from '@vedette/contract/calls/account-access.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { webAddress } from '../../browser/web-address.ts';
import { LANGUAGE_NUMBER } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';

export function useServerOffer() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['server/version'],
    queryFn: async ({ signal }) => {
      const offer = await caller.ask('server/version', {}, { signal, showError: false });
      const { clientIp, phoneCode } = offer;
      useClientState.setState({ clientIp, phoneCode });
      return offer;
    },
    retry: false,
  });
}

export function useDocuments() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['server/documents'],
    queryFn: ({ signal }) => caller.ask('server/documents', {}, { signal, showError: false }),
  });
}

/** Address of a document in the language and brand of this console (LM-04); undefined until it is known. */
export function useDocumentUrl(): (kind: DocumentKind) => string | undefined {
  const { language } = useT();
  const isNoBrand = useClientState((state) => state.environment.isNoBrandFlag);
  const { data } = useDocuments();
  return (kind) => documentUrl(data, { kind, language: LANGUAGE_NUMBER[language], isNoBrand });
}

function documentUrl(
  documents: CallOutput<'server/documents'> | undefined,
  wish: { kind: DocumentKind; language: number; isNoBrand: boolean },
): string | undefined {
  const wished = documents?.documentList.find(
    (one) => one.kind === wish.kind && one.language === wish.language && one.isNoBrand === wish.isNoBrand,
  );
  return wished && webAddress(wished.url);
}
