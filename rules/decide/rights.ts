// Types of the authorization decision: subject, object, grant and decision.
import type { Permission } from '@vedette/contract/permissions.ts';
import type { ShareWindow } from './share-window.ts';

export interface RightsSubject {
  readonly userId: string;
  /** EN-20. */
  readonly userType: number;
}

/** Facts of an object that rights depend on. `organizationPath`: ids from the owner's topmost organisation to the nearest. */
export type RightsObject =
  | { readonly kind: 'organization'; readonly ownerId: string; readonly organizationPath: readonly string[] }
  | {
      readonly kind: 'device';
      readonly ownerId: string;
      readonly organizationPath: readonly string[];
      readonly deviceId: string;
    }
  | {
      readonly kind: 'channel';
      readonly ownerId: string;
      readonly organizationPath: readonly string[];
      readonly deviceId: string;
      readonly channelNo: number;
    };

export type GrantScope =
  | { readonly kind: 'organization'; readonly organizationId: string }
  | { readonly kind: 'device'; readonly deviceId: string }
  | { readonly kind: 'channel'; readonly deviceId: string; readonly channelNo: number };

export interface Grant {
  readonly grantId: string;
  readonly granteeId: string;
  /** Whose objects are opened: a grant dies when the object changes hands. */
  readonly ownerId: string;
  readonly scope: GrantScope;
  readonly permissions: readonly Permission[];
  /** Milliseconds UTC; null has no bound. The end itself is outside. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly source: 'role' | 'share' | 'app';
  readonly shareId: string | null;
  /** Organisations that the object must stand in as well: what a giver received by them ends with its place there. */
  readonly within?: readonly string[];
  /** Weekly hours that must all be open. */
  readonly windows?: readonly ShareWindow[];
  /** Shows the object even without a single right on it. */
  readonly showsObject?: boolean;
}

export type Because =
  | { readonly kind: 'owner' }
  | { readonly kind: 'grant'; readonly grantId: string; readonly shareId: string | null }
  | { readonly kind: 'none' };

export interface Decision {
  readonly allowed: boolean;
  /** Some right exists, so the object may be shown; false answers as a missing object does. */
  readonly isVisible: boolean;
  /** 200, 1004 (visible, but not this), 1009 (no such device for you) or 1007 (no such organisation for you). */
  readonly code: 200 | 1004 | 1007 | 1009;
  /** The right ends then, ms; null while nothing ends it. */
  readonly until: number | null;
  readonly because: Because;
}
