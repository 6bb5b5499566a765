// Whether an account may let an app act for it.

export interface AppUse {
  readonly isEnabled: boolean;
  /** By an operator, for accounts other than the app's owner. */
  readonly isApproved: boolean;
  /** The operator allows all apps. */
  readonly allowsAll: boolean;
  readonly ownerId: string;
  readonly accountId: string;
}

export function mayUseApp({ isEnabled, isApproved, allowsAll, ownerId, accountId }: AppUse): boolean {
  return isEnabled && (isApproved || allowsAll || ownerId === accountId);
}
