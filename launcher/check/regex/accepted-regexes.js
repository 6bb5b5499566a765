// Accepted regular expressions of super-linear cost, each with the bound that keeps its input short.
/** @type {readonly import('./check-regexes.js').AcceptedRegex[]} */
export const acceptedRegexes = [
  {
    file: 'protocols/soap/envelope.ts',
    regex: '/(?<![\\w.-])([A-Za-z][\\w.-]*):(?=[A-Za-z_])/gu',
    bound: 'the first 1,000 characters of what we write ourselves; what stands before a word lets it begin once',
  },
  {
    file: 'launcher/check/regex/regex-alphabet.js',
    regex: '//',
    bound: 'one unit of an expression of our own, against one character',
  },
];
