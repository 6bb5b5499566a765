// The transport of CEF's message router: each message is a query, and one query that stays open brings what the shell sends.
import type { Transport } from './transport.ts';

interface CefQuery {
  readonly request: string;
  readonly persistent: boolean;
  readonly onSuccess: (answer: string) => void;
  readonly onFailure: (code: number, text: string) => void;
}

export interface CefPage {
  cefQuery(query: CefQuery): number;
  cefQueryCancel(id: number): void;
}

/** The request of the query that stays open. */
const LISTEN = 'vedette:listen';

export function cefTransport(page: CefPage): Transport {
  const ignore = (): void => undefined;
  return {
    isOwn: true,
    send: (json) => {
      page.cefQuery({ request: json, persistent: false, onSuccess: ignore, onFailure: ignore });
    },
    onMessage: (take) => {
      const id = page.cefQuery({ request: LISTEN, persistent: true, onSuccess: take, onFailure: ignore });
      return () => page.cefQueryCancel(id);
    },
  };
}
