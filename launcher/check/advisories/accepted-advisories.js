// Advisories of high severity that are known and accepted for a while, each with its reason and the day on which it is looked at again.
/** @type {readonly import('./judge-advisories.js').AcceptedAdvisory[]} */
export const acceptedAdvisories = [];
