// Everything a component needs in a test: phrases, kit, data, services over a fake transport.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { pack } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { type ReactNode, act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { type FakeTransport, fakeTransport } from '../calls/caller.fake.ts';
import { createCaller } from '../calls/caller.ts';
import { useLanguageStore } from '../language/language-store.ts';
import type { Session } from '../session/session.ts';
import { UiProvider } from '../ui/theme/ui-provider.tsx';
import { ServicesContext } from './services.ts';

export interface RenderedComponent {
  readonly root: HTMLElement;
  readonly requests: FakeTransport;
  readonly session: { signedIn: unknown };
  /** Sets the value of a field as typing would. */
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  press(selector: string, key: string): Promise<void>;
  close(): Promise<void>;
}

/** Draws a component with what it needs; calls are answered by path. */
export async function show(
  element: ReactNode,
  answer: Parameters<typeof fakeTransport>[0],
): Promise<RenderedComponent> {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  useLanguageStore.setState({ t: translator('en', pack) });
  const requests = fakeTransport(answer);
  const caller = createCaller({
    transport: requests.transport,
    baseUrl: () => '/api/v1',
    token: () => 'T',
    onError: () => undefined,
    onSuccess: () => undefined,
    onSessionEnd: () => undefined,
  });
  const kept = { signedIn: null as unknown };
  const session = {
    signIn: (signedIn: unknown) => {
      kept.signedIn = signedIn;
    },
  } as unknown as Session;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = document.createElement('div');
  document.body.append(root);
  const drawn = createRoot(root);
  await act(async () =>
    drawn.render(
      <UiProvider>
        <ServicesContext value={{ mode: 'web', caller, session, clock: new FakeClock() }}>
          <QueryClientProvider client={client}>
            <MemoryRouter>{element}</MemoryRouter>
          </QueryClientProvider>
        </ServicesContext>
      </UiProvider>,
    ),
  );
  const find = (selector: string): HTMLElement => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`nothing matches ${selector}`);
    return found;
  };
  return {
    root,
    requests,
    session: kept,
    type: (selector, text) =>
      act(async () => {
        const field = find(selector) as HTMLInputElement;
        // React listens to the native setter's change, not to the property.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    click: (selector) => act(async () => find(selector).click()),
    press: (selector, key) =>
      act(async () => {
        find(selector).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }),
    close: async () => {
      await act(async () => drawn.unmount());
      root.remove();
    },
  };
}
