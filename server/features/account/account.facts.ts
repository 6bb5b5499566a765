// What other features may ask of accounts: a session for somebody whose identity is proved.
export { openSession } from './sign-in.ts';
