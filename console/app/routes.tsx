// The one route table, used by the web entry with history and by the client entry with hash (RT-01).
import {
  createBrowserRouter,
  createHashRouter,
  type LoaderFunctionArgs,
  matchRoutes,
  type NonIndexRouteObject,
  type RouteObject,
  redirect,
} from 'react-router';
import type { AskServices } from '../features/device-config/config.query.ts';
import { hasSession } from '../session/auth-store.ts';
import { saasToken } from '../session/saas-values.ts';
import type { ConsoleMode } from '../services/services.ts';
import { PageFailure } from './page-failure.tsx';
import { guardRedirect } from '../services/navigation-guard.ts';
import { LoadingPage } from './loading-page.tsx';
import { PATHS, tabPath } from '../navigation/paths.ts';
import { DEVICE_CONFIG_ROW, LIVE_WINDOW_ROW, PERSONAL_ROW, SCREEN_ROWS, type ScreenRow } from './screen-rows.ts';
import { takeIdentityAnswer } from '../session/identity-answer.ts';
import { takeGuestToken } from '../session/guest-token.ts';
import { RequireSession } from './require-session.tsx';

function guard(mode: ConsoleMode, isOpenInWeb: boolean) {
  return ({ request }: LoaderFunctionArgs): Response | null => {
    const { pathname, search } = new URL(request.url);
    const target = `${pathname}${search}`;
    const instead = guardRedirect({ mode, hasToken: hasSession() || saasToken() !== '', isOpenInWeb, target });
    return instead === null ? null : redirect(instead);
  };
}

function screenRoute(mode: ConsoleMode, row: ScreenRow): NonIndexRouteObject {
  return {
    path: row.path,
    handle: row,
    loader: guard(mode, row.isOpenInWeb),
    errorElement: <PageFailure />,
    lazy: async () => {
      const Screen = await row.load();
      return {
        Component: () => (
          <RequireSession row={row}>
            <Screen />
          </RequireSession>
        ),
      };
    },
  };
}

/** The workspace shows every other screen as a tab of its own, under the rules of that screen. */
function workspaceRoute(mode: ConsoleMode, row: ScreenRow): RouteObject {
  const opened = SCREEN_ROWS.filter((one) => one !== row);
  const children = opened.map((one) => ({ ...screenRoute(mode, one), path: tabPath(one.path) }));
  return { ...screenRoute(mode, row), children };
}

/** The home page's screens and the manual keep one frame around them: changing between them ends nothing in it. */
function shellRoute(mode: ConsoleMode): RouteObject {
  const screens: RouteObject[] = [
    {
      index: true,
      lazy: async () => ({ Component: (await import('../features/preferences/first-page.tsx')).FirstPage }),
    },
    ...SCREEN_ROWS.map((row) => (row.path === PATHS.container ? workspaceRoute : screenRoute)(mode, row)),
    screenRoute(mode, DEVICE_CONFIG_ROW),
    screenRoute(mode, PERSONAL_ROW),
    {
      path: '*',
      lazy: async () => ({ Component: (await import('../screens/not-found/not-found-screen.tsx')).NotFoundScreen }),
    },
  ];
  return {
    lazy: async () => ({ Component: (await import('./shell.tsx')).Shell }),
    children: [
      { path: PATHS.homepage, children: screens },
      {
        path: `${PATHS.help}/:page?`,
        errorElement: <PageFailure />,
        lazy: async () => ({ Component: (await import('../screens/help/help-screen.tsx')).HelpScreen }),
      },
    ],
  };
}

/** Sign-in and consent are never framed. */
function embeddedTable(): RouteObject[] {
  const waiting: RouteObject = {
    path: PATHS.login,
    lazy: async () => ({ Component: (await import('../screens/embedded/embedded-screen.tsx')).EmbeddedScreen }),
  };
  const elsewhere: RouteObject = { path: '*', loader: () => redirect(PATHS.login) };
  return [
    {
      errorElement: <PageFailure isWhole />,
      hydrateFallbackElement: <LoadingPage />,
      children: [waiting, shellRoute('client'), elsewhere],
    },
  ];
}

export function table(mode: ConsoleMode): RouteObject[] {
  return [
    {
      errorElement: <PageFailure isWhole />,
      hydrateFallbackElement: <LoadingPage />,
      children: [
        { path: PATHS.root, loader: () => redirect(PATHS.login) },
        {
          path: PATHS.login,
          lazy: async () => ({
            Component:
              mode === 'web'
                ? (await import('../screens/login/login-screen.tsx')).LoginScreen
                : (await import('../screens/login/client-login-screen.tsx')).ClientLoginScreen,
          }),
        },
        {
          path: PATHS.register,
          lazy: async () => ({ Component: (await import('../screens/register/register-screen.tsx')).RegisterScreen }),
        },
        {
          path: PATHS.retrievePwd,
          lazy: async () => ({
            Component: (await import('../screens/retrieve-pwd/retrieve-pwd-screen.tsx')).RetrievePwdScreen,
          }),
        },
        {
          path: PATHS.resetPwd,
          lazy: async () => ({ Component: (await import('../screens/reset-pwd/reset-pwd-screen.tsx')).ResetPwdScreen }),
        },
        {
          path: PATHS.invitation,
          lazy: async () => ({
            Component: (await import('../screens/invitation/invitation-screen.tsx')).InvitationScreen,
          }),
        },
        {
          path: PATHS.alarmMail,
          lazy: async () => ({
            Component: (await import('../screens/alarm-mail/alarm-mail-screen.tsx')).AlarmMailScreen,
          }),
        },
        {
          path: PATHS.trustLogin,
          lazy: async () => ({
            Component: (await import('../screens/trust-login/trust-login-screen.tsx')).TrustLoginScreen,
          }),
        },
        {
          path: PATHS.confirmInfo,
          lazy: async () => ({
            Component: (await import('../screens/confirm-info/confirm-info-screen.tsx')).ConfirmInfoScreen,
          }),
        },
        {
          path: PATHS.deviceAuth,
          lazy: async () => ({
            Component: (await import('../screens/device-auth/device-auth-screen.tsx')).DeviceAuthScreen,
          }),
        },
        {
          path: `${PATHS.identityAnswer}/:providerId`,
          // Before the page is even fetched: the address bar forgets the code at once.
          loader: () => {
            takeIdentityAnswer(window);
            return null;
          },
          lazy: async () => ({
            Component: (await import('../screens/identity-answer/identity-answer-screen.tsx')).IdentityAnswerScreen,
          }),
        },
        {
          path: `${PATHS.clientSignIn}/:providerId`,
          lazy: async () => ({
            Component: (await import('../screens/client-sign-in/client-sign-in-screen.tsx')).ClientSignInScreen,
          }),
        },
        {
          path: PATHS.setup,
          lazy: async () => ({ Component: (await import('../screens/setup/setup-screen.tsx')).SetupScreen }),
        },
        {
          lazy: async () => ({ Component: (await import('./window-frame.tsx')).WindowFrame }),
          children: [{ ...screenRoute(mode, LIVE_WINDOW_ROW), path: `${PATHS.liveWindow}/:no` }],
        },
        {
          path: PATHS.guest,
          // Before the page is even fetched: the address bar forgets the word at once.
          loader: () => {
            takeGuestToken(window);
            return null;
          },
          lazy: async () => ({ Component: (await import('../screens/guest/guest-screen.tsx')).GuestScreen }),
        },
        shellRoute(mode),
        {
          path: '*',
          lazy: async () => ({ Component: (await import('../screens/not-found/not-found-screen.tsx')).NotFoundScreen }),
        },
      ],
    },
  ];
}

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

function routesAt(mode: ConsoleMode, address: Address): { routes: RouteObject[]; search: string } {
  const [path = '', search = ''] =
    mode === 'web' ? [address.pathname, address.search.slice(1)] : address.hash.slice(1).split('?');
  return { routes: (matchRoutes(table(mode), path === '' ? '/' : path) ?? []).map(({ route }) => route), search };
}

/** Fetches the code of the page at an address while what else it needs is still on its way; a failure is told by the router. */
export function fetchPage(mode: ConsoleMode, address: Address): void {
  for (const { lazy } of routesAt(mode, address).routes) if (typeof lazy === 'function') lazy().catch(() => undefined);
}

/** The same for what it asks the server first; a failure is told by the page, which asks again. */
export function askForPage(mode: ConsoleMode, address: Address, services: AskServices): void {
  const { routes, search } = routesAt(mode, address);
  for (const { handle } of routes) {
    const row = handle as ScreenRow | undefined;
    row?.ask?.(services, new URLSearchParams(search)).catch(() => undefined);
  }
}

export function createRouter(mode: ConsoleMode) {
  return mode === 'web' ? createBrowserRouter(table(mode)) : createHashRouter(table(mode));
}

export function createEmbeddedRouter() {
  return createHashRouter(embeddedTable());
}
