// Whose connection quota a ticket counts against at the media endpoints.
import type { TicketGrant } from '@vedette/contract/site/site.ts';

/** Guests of links count in a quota of the link's creator, apart from the creator's own. */
export function quotaHolderOf({ userId, isGuest }: TicketGrant): string {
  return isGuest === true ? `guests of ${userId}` : userId;
}
