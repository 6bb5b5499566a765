// A configuration of the server that is broken or missing leaves the last one in use.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLIENT_STATE_DEFAULTS, useClientState } from './client-state.ts';
import { loadServerConfig } from './server-config.ts';

const answer = (body: string, status = 200) =>
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { status }));
const kept = () => useClientState.getState().environment.apiURL;

beforeEach(async () => {
  useClientState.setState(CLIENT_STATE_DEFAULTS);
  answer(JSON.stringify({ apiURL: 'https://good.test' }));
  await loadServerConfig();
});
afterEach(() => void vi.restoreAllMocks());

describe('[FT-51] a configuration that is broken or missing', () => {
  it.each([
    ['is cut off', '{"apiURL":', 200, 'JSON'],
    ['is missing', 'not found', 404, 'answered 404'],
    ['comes from a server that starts', '<html>', 503, 'answered 503'],
  ])('%s: what was read last stays', async (_, body, status, why) => {
    answer(body, status);
    await expect(loadServerConfig()).rejects.toThrow(why);
    expect(kept()).toBe('https://good.test');
  });

  it('does not come at all: what was read last stays', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
    await expect(loadServerConfig()).rejects.toThrow('no network');
    expect(kept()).toBe('https://good.test');
  });

  it('holds a value of another kind: only that one is left at its default', async () => {
    answer(JSON.stringify({ apiURL: 5, imageUrl: 'https://pictures.test' }));
    await loadServerConfig();
    expect(kept()).toBe(CLIENT_STATE_DEFAULTS.environment.apiURL);
  });
});
