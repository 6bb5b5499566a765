// Opening a guest link: one call that says what it shows, asks for its password, or refuses; the player asks it again for each ticket.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { TileSource } from '@vedette/player/live/tile-source.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallFailure, failureReason } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { useCaller } from '../../services/services.ts';

export type OpenedLink = CallOutput<'share/link/open'>;

export type GuestState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'password'; readonly isWrong: boolean; readonly isBusy: boolean }
  | { readonly kind: 'open'; readonly link: OpenedLink; readonly password: string | undefined }
  | { readonly kind: 'refused'; readonly failure: unknown };

export function useGuestLink(word: string) {
  const caller = useCaller();
  const [state, setState] = useState<GuestState>({ kind: 'opening' });
  const attempt = useRef(0);
  const open = useCallback(
    async (password?: string): Promise<void> => {
      attempt.current += 1;
      const mine = attempt.current;
      const show = (next: GuestState): void => {
        if (mine === attempt.current) setState(next);
      };
      show(password === undefined ? { kind: 'opening' } : { kind: 'password', isWrong: false, isBusy: true });
      try {
        show({ kind: 'open', link: await ask(caller, word, password), password });
      } catch (failure) {
        const isPassword = failure instanceof CallFailure && failure.code === ERROR_CODES.userPWDIncorrect;
        show(
          isPassword
            ? { kind: 'password', isWrong: password !== undefined, isBusy: false }
            : { kind: 'refused', failure },
        );
      }
    },
    [caller, word],
  );
  useEffect(() => {
    if (word !== '') void open();
  }, [word, open]);
  return { state, open };
}

async function ask(
  caller: Caller,
  linkId: string,
  password?: string,
  more?: { codecs?: OpenCodecs; signal?: AbortSignal },
) {
  const { signal, codecs } = more ?? {};
  return await caller.ask(
    'share/link/open',
    { linkId, ...(password !== undefined && { password }), ...(codecs && { codecs: [...codecs] }) },
    { showError: false, ...(signal && { signal }) },
  );
}

type OpenCodecs = readonly ('h264' | 'h265' | 'mjpeg')[];

export interface GuestSourceOptions {
  readonly caller: Caller;
  readonly token: string;
  readonly password: string | undefined;
  /** Its ticket is used first; null where it was used already. */
  readonly first: OpenedLink | null;
}

/** Each time the player needs a further ticket the link is opened anew: what has ended is refused there and then. */
export function guestSource({ caller, token, password, first }: GuestSourceOptions): TileSource {
  let held = first;
  return {
    async getTicket({ codecs, signal }) {
      try {
        const isHeldGood = held !== null && codecs.some((one) => one === held?.codec);
        const opened = isHeldGood && held !== null ? held : await ask(caller, token, password, { codecs, signal });
        held = null;
        const { ticket, quality, codec, hlsUrl } = opened;
        if (codec !== '' && !codecs.some((one) => one === codec)) return { kind: 'unsupported', codec };
        const { pathname } = new URL(hlsUrl, location.href);
        return { kind: 'ticket', ticket, quality, hlsUrl: new URL(pathname, location.href).href };
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        return { kind: 'refused', code: failure.code, reason: failureReason(failure.data) };
      }
    },
  };
}
