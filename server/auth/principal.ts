// The authenticated account of a call.

export interface Principal {
  readonly userId: string;
  readonly userName: string;
  /** EN-20. */
  readonly userType: number;
  /** Account whose objects a sub-account works on; null for all others. */
  readonly ownerId: string | null;
  readonly sessionId: string;
}
