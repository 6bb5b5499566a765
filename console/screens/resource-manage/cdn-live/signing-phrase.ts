// How the screen names the way in which a CDN provider knows us.
import type { CdnProviderKind, CdnSigning } from '@vedette/contract/enumerations.ts';

type SigningPhrase = `cdn.signing.${CdnSigning}` | 'cdn.access.noToken' | 'cdn.access.noPassphrase';

/** Without a key each kind says what it lacks. */
export function signingPhrase(kind: CdnProviderKind, signing: CdnSigning): SigningPhrase {
  if (signing === 'none' && kind === 'whip') return 'cdn.access.noToken';
  if (signing === 'none' && kind === 'srt') return 'cdn.access.noPassphrase';
  return `cdn.signing.${signing}`;
}
