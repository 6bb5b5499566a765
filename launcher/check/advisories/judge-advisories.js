// Evaluates `npm audit --json`: whether a shipped package has a known vulnerability of high severity.

const RED_SEVERITIES = new Set(['high', 'critical']);
/** `auditReportVersion` since npm 7. */
const REPORT_VERSION = 2;

/**
 * @typedef {{ id: string, package: string, reason: string, until: string }} AcceptedAdvisory
 *   `id`: as the advisory's address ends (GHSA-…); `until`: last day on which it is accepted, YYYY-MM-DD
 * @typedef {{ ok: boolean, isAnswered: boolean, lines: string[] }} Verdict
 * @typedef {{ id: string, package: string, severity: string, title: string, range: string }} Advisory
 */

/**
 * A registry that gives no advisories is no reason to be red: a build that depends on a service being up stops releases, the mends of weaknesses
 * among them, whenever that service is away.
 * @param {string} text standard output of npm
 * @param {readonly AcceptedAdvisory[]} accepted
 * @param {string} today YYYY-MM-DD
 * @returns {Verdict}
 */
export function evaluateAdvisories(text, accepted, today) {
  const overdue = accepted.filter(({ until }) => !isDay(until) || until < today);
  const red = overdue.map(({ id, package: name, until }) => `${name} ${id}: was accepted until ${until}, look again`);
  const answer = parsed(text);
  const refusal = refusalOf(answer);
  if (refusal !== null)
    return { ok: red.length === 0, isAnswered: false, lines: [...red, `advisories were not checked: ${refusal}`] };
  const found = advisoriesIn(answer);
  if (found === null) {
    const version = JSON.stringify(answer?.['auditReportVersion'] ?? null);
    return {
      ok: false,
      isAnswered: true,
      lines: [...red, `npm answered with report version ${version}, not known here`],
    };
  }
  const grave = found.filter(({ severity }) => RED_SEVERITIES.has(severity));
  const isAccepted = (/** @type {Advisory} */ one) =>
    accepted.some(({ id, package: name }) => id === one.id && name === one.package);
  for (const one of grave.filter((each) => !isAccepted(each)))
    red.push(`${one.package} ${one.range}: ${one.severity}, ${one.id} ${one.title}`);
  const notes = accepted
    .filter(({ id, package: name }) => !grave.some((one) => one.id === id && one.package === name))
    .map(({ id, package: name }) => `${name} ${id}: accepted, but no longer needed`);
  return { ok: red.length === 0, isAnswered: true, lines: [...red, ...notes] };
}

/** @param {string} text @returns {Record<string, any> | null} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null; // cut off, or nothing at all: npm did not come to its report
  }
}

/** @param {Record<string, any> | null} answer @returns {string | null} why there is no report */
function refusalOf(answer) {
  if (answer === null) return 'npm gave no report';
  if ('auditReportVersion' in answer) return null;
  // npm's own words may name the registry and what it sent; only the code of the failure is told.
  if ('error' in answer)
    return `the registry gave none (${answer['statusCode'] ?? answer['error']?.code ?? 'no answer'})`;
  return null;
}

/** @param {Record<string, any> | null} answer @returns {Advisory[] | null} null for a report of an unknown form */
function advisoriesIn(answer) {
  const packages = answer?.['vulnerabilities'];
  if (answer?.['auditReportVersion'] !== REPORT_VERSION || typeof packages !== 'object' || packages === null)
    return null;
  /** @type {Map<string, Advisory>} the same one stands at every package above it */
  const found = new Map();
  for (const [name, entry] of Object.entries(packages)) {
    if (!Array.isArray(entry?.via)) return null;
    // A word instead of an object is the name of the package below that has the weakness; it has an entry of its own.
    for (const via of entry.via.filter((/** @type {unknown} */ one) => typeof one === 'object' && one !== null)) {
      const advisory = advisoryOf(via, name);
      found.set(`${advisory.package} ${advisory.id}`, advisory);
    }
  }
  return [...found.values()];
}

/** @param {Record<string, any>} via @param {string} above the package at which it stands @returns {Advisory} */
function advisoryOf(via, above) {
  const [last] = String(via['url'] ?? '')
    .split('/')
    .slice(-1);
  return {
    id: last || String(via['source']),
    package: String(via['name'] ?? above),
    severity: String(via['severity']),
    title: String(via['title']),
    range: String(via['range']),
  };
}

/** @param {string} text */
function isDay(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
