// One answer of the doctor: what was looked at, how it is, and what to do about it.

/**
 * @typedef {'ok' | 'warning' | 'failure'} State
 * @typedef {object} Finding
 * @property {string} check stable word, for scripts
 * @property {State} state
 * @property {string} text one sentence
 * @property {string} advice what to do; empty when there is nothing to do
 *
 * @typedef {object} Patient what the checks look at
 * @property {string} root of the clone
 * @property {string} node the pinned Node
 * @property {Record<string, string | undefined>} env
 * @property {import('../options/options.js').LaunchOptions} options
 * @property {boolean} isRunning an installation uses the data folder now
 * @property {Date} now
 */

/**
 * @param {string} check
 * @param {string} text
 * @returns {Finding}
 */
export function ok(check, text) {
  return { check, state: 'ok', text, advice: '' };
}

/**
 * @param {string} check
 * @param {string} text
 * @param {string} advice
 * @returns {Finding}
 */
export function warning(check, text, advice) {
  return { check, state: 'warning', text, advice };
}

/**
 * @param {string} check
 * @param {string} text
 * @param {string} advice
 * @returns {Finding}
 */
export function failure(check, text, advice) {
  return { check, state: 'failure', text, advice };
}

/**
 * @param {readonly Finding[]} findings
 * @returns {State} of the worst
 */
export function worstOf(findings) {
  for (const state of /** @type {const} */ (['failure', 'warning']))
    if (findings.some((one) => one.state === state)) return state;
  return 'ok';
}
