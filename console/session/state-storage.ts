// Writes the client state to session storage when the page goes, and reads it back on reload (RT-14).
import { CLIENT_STATE_DEFAULTS, type ClientState, useClientState } from './client-state.ts';

const STORAGE_KEY = 'vedette.state';
/** Raised with every change of a field's meaning: older states are dropped. */
const STORAGE_VERSION = 1;

export function serializeState(state: ClientState): string {
  return JSON.stringify({ version: STORAGE_VERSION, state });
}

function sameKind(value: unknown, model: unknown): boolean {
  return model === null || (typeof value === typeof model && Array.isArray(value) === Array.isArray(model));
}

/** Known fields of the right kind alone; null for another version or what is no state at all. */
export function parseState(text: string): Partial<ClientState> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    console.warn('stored state dropped', failure);
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { version, state } = value as { version?: unknown; state?: unknown };
  if (version !== STORAGE_VERSION || typeof state !== 'object' || state === null) return null;
  const kept = Object.entries(state).filter(
    ([name, field]) =>
      name in CLIENT_STATE_DEFAULTS && sameKind(field, CLIENT_STATE_DEFAULTS[name as keyof ClientState]),
  );
  return Object.fromEntries(kept) as Partial<ClientState>;
}

/** `pagehide`, not `beforeunload`: the latter keeps the page out of the back/forward cache. */
export function saveState(page: Window): void {
  const stored = page.sessionStorage.getItem(STORAGE_KEY);
  const state = stored === null ? null : parseState(stored);
  if (state !== null) useClientState.setState(state);
  page.addEventListener('pagehide', () => {
    page.sessionStorage.setItem(STORAGE_KEY, serializeState(useClientState.getState()));
  });
}

export function forgetState(): void {
  const { environment, browserId, languageList, globalLanguage, saas } = useClientState.getState();
  useClientState.setState({ ...CLIENT_STATE_DEFAULTS, environment, browserId, languageList, globalLanguage, saas });
}
