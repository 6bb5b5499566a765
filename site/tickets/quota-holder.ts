// Whose connection quota a ticket counts against at the media endpoints.
import type { TicketGrant } from '@vedette/contract/site/site.ts';

/** Guests of links take places that belong to the maker of the links and are apart from the maker's own. */
export function quotaHolderOf({ userId, isGuest }: TicketGrant): string {
  return isGuest === true ? `guests of ${userId}` : userId;
}
