// Removes what looks like a secret from a line of the log before anybody is shown it: the processes write none, and this holds where one errs.

const HIDDEN = '[secret]';

/** `//user:password@host` */
const ADDRESS_PASSWORD = /(\/\/[^\s:@/"]{0,128}):[^\s@/"]{1,256}@/g;
/** `password=…`, `"accessToken":"…"`, `authorization: Bearer …` */
const NAMED =
  /(password|passwd|token|secret|ticket|authorization|credential|cookie|registrationcode)(\\?["']?[=:]\s?\\?["']?)(?:(?:bearer|basic|digest|dpop) )?[^\s"'\\&,;}\]]{1,4096}/gi;
const BEARER = /\b(bearer|basic|dpop) [A-Za-z0-9+/=._~-]{8,4096}/gi;
/** A token of ours has 43 characters of base64url; hashes and fingerprints have one case alone. */
const LONG_WORD = /[A-Za-z0-9_-]{40,}/g;
/** The one-time code of a remote site, and a recovery code. */
const GROUPED_CODE = /\b[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}\b/g;

export function withoutSecrets(text: string): string {
  return text
    .replace(ADDRESS_PASSWORD, `$1:${HIDDEN}@`)
    .replace(NAMED, `$1$2${HIDDEN}`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(GROUPED_CODE, HIDDEN)
    .replace(LONG_WORD, (word) => (isToken(word) ? HIDDEN : word));
}

function isToken(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /[0-9]/.test(word);
}
