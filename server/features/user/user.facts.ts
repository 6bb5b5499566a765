// What other features may ask of sub-accounts: whether roles and organisations are their owner's.
export { refuseForeignAssignment } from './user-change.ts';
