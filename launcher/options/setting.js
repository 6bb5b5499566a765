// One setting of a process: its argument comes first, then its environment variable, then its default.

/**
 * @template T
 * @param {string | undefined} argument
 * @param {string | undefined} variable
 * @param {T} otherwise
 */
export function setting(argument, variable, otherwise) {
  return argument ?? variable ?? otherwise;
}

/**
 * @param {boolean | undefined} argument
 * @param {string | undefined} variable
 */
export function isOn(argument, variable) {
  return argument ?? (variable === '1' || variable === 'true');
}
