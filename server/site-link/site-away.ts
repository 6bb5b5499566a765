// The error of a call to a site that is connected to no server.
import { CallError } from '../core/call-error.ts';
import { isInside } from './inside-site.ts';

export function siteAway(siteId: string): CallError {
  return isInside(siteId) ? new CallError('serviceBusy') : new CallError('devResponseTimeOut', { reason: 'siteAway' });
}
