// Addresses of privacy policy, manual and agreement: the operator's own, else the built-in pages (LM-04).
import { DOCUMENT_KINDS, type Document } from '@vedette/contract/calls/account-access.ts';
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';

const LANGUAGE_NAMES = { 0: 'zh-CN', 1: 'en' } as const;

export function documentsNow(config: AccountConfig): { documentList: Document[]; privacyUpdateTime: number } {
  const documentList = DOCUMENT_KINDS.flatMap((kind) =>
    ([0, 1] as const).flatMap((language) =>
      [false, true].map((isNoBrand) => {
        const own = config.documentList.find(
          (one) => one.kind === kind && one.language === language && one.isNoBrand === isNoBrand,
        );
        const page = `/documents/${kind}/${LANGUAGE_NAMES[language]}${isNoBrand ? '/plain' : ''}`;
        return own ?? { kind, language, isNoBrand, url: page };
      }),
    ),
  );
  return { documentList, privacyUpdateTime: config.privacyUpdateTime };
}
