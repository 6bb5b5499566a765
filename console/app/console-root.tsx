// The outermost component: phrases, kit, data, services, router.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { UploadDone } from '../features/upload/upload-done.tsx';
import { useLanguageStore } from '../language/language-store.ts';
import { type Services, ServicesContext } from '../services/services.ts';
import { Toaster } from '../ui/feedback/toaster.tsx';
import { UiProvider } from '../ui/theme/ui-provider.tsx';
import { LoadingPage } from './loading-page.tsx';
import type { createRouter } from './routes.tsx';

export interface ConsoleRootProps {
  readonly services: Services;
  readonly queryClient: QueryClient;
  readonly router: ReturnType<typeof createRouter>;
  /** Above the pages. */
  readonly children?: ReactNode;
}

export function ConsoleRoot({ services, queryClient, router, children }: ConsoleRootProps) {
  const hasPhrases = useLanguageStore((state) => state.t !== null);
  return (
    <UiProvider>
      <ServicesContext value={services}>
        <QueryClientProvider client={queryClient}>
          {hasPhrases ? <RouterProvider router={router} /> : <LoadingPage />}
          <Toaster />
          {hasPhrases && <UploadDone />}
          {hasPhrases && children}
        </QueryClientProvider>
      </ServicesContext>
    </UiProvider>
  );
}
