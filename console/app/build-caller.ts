// Builds what makes the calls of this page: where they go to, whose token they carry, and what is shown of their answers.
import { type Caller, type CallerOptions, createCaller } from '../calls/caller.ts';
import { codeText } from '../calls/failure-text.ts';
import { createSaasCaller } from '../calls/saas-caller.ts';
import { browserTransport } from '../calls/transport.ts';
import { askStepUp } from '../features/step-up/step-up-store.ts';
import { sayUploadDone } from '../features/upload/upload-done.tsx';
import { currentTranslate } from '../language/language-store.ts';
import { signedInOf, useAuth } from '../session/auth-store.ts';
import { useClientState } from '../session/client-state.ts';
import { saasToken } from '../session/saas-values.ts';
import { ERROR_TOAST_MS, showToast } from '../ui/feedback/toast-store.ts';

/** Base of the calls where the server's configuration names none. */
const OWN_CALLS = '/api/v1';

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

function callsAddress(): string {
  return withoutEndSlashes(useClientState.getState().environment.apiURL) || OWN_CALLS;
}

export function buildCaller(endSoon: (token: string) => void, onEventNumber: (event: number) => void): Caller {
  const given: Omit<CallerOptions, 'token'> = {
    onEventNumber,
    transport: browserTransport,
    baseUrl: callsAddress,
    onError: (code, message, data) =>
      showToast('error', codeText(currentTranslate(), code, message, data), ERROR_TOAST_MS),
    onSuccess: (isUpload) => (isUpload ? sayUploadDone() : showToast('success', currentTranslate()('common.success'))),
    onSessionEnd: (_code, token) => endSoon(token),
    onStepUp: askStepUp,
  };
  const own = createCaller({ ...given, token: () => signedInOf(useAuth.getState())?.accessToken ?? null });
  const saas = createSaasCaller({ ...given, saasToken });
  const now = (): Caller => (saasToken() === '' ? own : saas);
  return {
    send: (path, input, options) => now().send(path, input, options),
    ask: (path, input, options) => now().ask(path, input, options),
    upload: (path, input, options) => now().upload(path, input, options),
    postForm: (wish) => now().postForm(wish),
  };
}

/** What is refused is for whoever asks with a token of its own: nothing is shown, and no session ends. */
export function callerWith(token: string): Caller {
  const silent = { onError: () => undefined, onSuccess: () => undefined, onSessionEnd: () => undefined };
  return createCaller({ transport: browserTransport, baseUrl: callsAddress, token: () => token, ...silent });
}
