// Addresses of privacy policy, manual and agreement: the operator's own, else the built-in ones (LM-04).
import { DOCUMENT_KINDS, type Document, type DocumentKind } from '@vedette/contract/calls/account-access.ts';
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';

const LANGUAGE_NAMES = { 0: 'zh-CN', 1: 'en' } as const;

/** The manual speaks the language of the console that opens it, and names no brand. */
const MANUAL = '/help';

function builtIn(kind: DocumentKind, language: 0 | 1, isNoBrand: boolean): string {
  return kind === 'manual' ? MANUAL : `/documents/${kind}/${LANGUAGE_NAMES[language]}${isNoBrand ? '/plain' : ''}`;
}

export function documentsNow(config: AccountConfig): { documentList: Document[]; privacyUpdateTime: number } {
  const documentList = DOCUMENT_KINDS.flatMap((kind) =>
    ([0, 1] as const).flatMap((language) =>
      [false, true].map((isNoBrand) => {
        const own = config.documentList.find(
          (one) => one.kind === kind && one.language === language && one.isNoBrand === isNoBrand,
        );
        return own ?? { kind, language, isNoBrand, url: builtIn(kind, language, isNoBrand) };
      }),
    ),
  );
  return { documentList, privacyUpdateTime: config.privacyUpdateTime };
}
