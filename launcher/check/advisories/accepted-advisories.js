// Accepted advisories of high severity, each with its reason and an expiry date.
/** @type {readonly import('./judge-advisories.js').AcceptedAdvisory[]} */
export const acceptedAdvisories = [];
