// The session of a launch: asked for at the server before it becomes that of the page, and never in place of another account's without a question.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { create } from 'zustand';
import { CallFailure, NetworkFailure } from '../../calls/call-failure.ts';
import { currentTranslate } from '../../language/language-store.ts';
import { PATHS } from '../../navigation/paths.ts';
import { hasSession, useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { forgetState } from '../../session/state-storage.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import type { ClientParts } from '../client-parts.ts';
import { launchServer } from './launch-server.ts';
import type { Launch } from './take-launch.ts';

const FIRST_PAGES = { 0: PATHS.deviceManage, 1: PATHS.orgManage, 2: PATHS.deviceManage } as const;

interface LaunchQuestion {
  /** Of the launch. */
  readonly signedIn: SignedIn;
  readonly firstPage: string;
}

/** Null while nothing is asked. */
export const useLaunchQuestion = create<{ readonly question: LaunchQuestion | null }>(() => ({ question: null }));

/** Before the router reads the address. Where the launch is refused the page begins as without it, and says so. */
export async function beginLaunch(parts: ClientParts, launch: Launch): Promise<void> {
  await parts.config;
  const signedIn = await sessionOf(parts, launch);
  const firstPage = FIRST_PAGES[launch.funcType];
  if (signedIn === null) {
    goTo(PATHS.login);
    // When the phrases are there.
    void parts.router.then(() => showToast('error', currentTranslate()('client.launchRefused')));
  } else if (hasSession() && useAuth.getState().userId !== signedIn.userId)
    useLaunchQuestion.setState({ question: { signedIn, firstPage } });
  else {
    parts.session.adopt(signedIn);
    goTo(firstPage);
  }
}

/** The user wants the account of the launch: nothing of the former one stays on the page. */
export async function takeLaunchSession(parts: ClientParts, { signedIn, firstPage }: LaunchQuestion): Promise<void> {
  forgetState();
  parts.forgetData();
  parts.session.adopt(signedIn);
  await (await parts.router).navigate(firstPage);
}

async function sessionOf({ callerWith }: ClientParts, launch: Launch): Promise<SignedIn | null> {
  const { token: accessToken, serverAddress: named } = launch;
  const serverAddress = launchServer(named, location.origin, useClientState.getState().environment);
  if (serverAddress === null) return null;
  const caller = callerWith(accessToken);
  try {
    const { userId, userType, expireTime } = await caller.ask('token/check', {});
    const { userName } = await caller.ask('account/info', {});
    return { accessToken, serverAddress, userId, userType, userName, expireTime };
  } catch (failure) {
    if (failure instanceof CallFailure || failure instanceof NetworkFailure) return null;
    throw failure;
  }
}

/** The client routes by hash; nothing has read it yet. */
function goTo(path: string): void {
  history.replaceState(history.state, '', `#${path}`);
}
