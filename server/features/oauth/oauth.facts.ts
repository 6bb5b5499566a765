// What other features may ask of authorisation: whether an app may be used.
export { appStatus } from './consent.ts';
