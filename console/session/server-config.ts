// Reads /serverConfig.json at start-up and after sign-out (EN-08, CA-06).
import type { ServerConfig } from '@vedette/contract/entities.ts';
import { CLIENT_STATE_DEFAULTS, useClientState } from './client-state.ts';

/** Fields of the right kind alone; the rest keep their defaults. */
export function readConfig(value: unknown): ServerConfig {
  const { currentVersion: _, ...defaults } = CLIENT_STATE_DEFAULTS.environment;
  if (typeof value !== 'object' || value === null) return defaults;
  const given = value as Record<string, unknown>;
  const kept = Object.entries(defaults).map(([name, usual]) => [
    name,
    typeof given[name] === typeof usual ? given[name] : usual,
  ]);
  return Object.fromEntries(kept) as ServerConfig;
}

export async function loadServerConfig(): Promise<void> {
  const answer = await fetch('/serverConfig.json', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`serverConfig.json answered ${answer.status}`);
  const config = readConfig(await answer.json());
  useClientState.setState(({ environment }) => ({ environment: { ...environment, ...config } }));
}
