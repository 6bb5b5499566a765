// LaunchError: the error that the launcher shows: a code, one sentence, and what to do.

/** Codes are stable: scripts and tests may look for them. */
export class LaunchError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ hint?: string, exitCode?: number, cause?: unknown }} [more]
   */
  constructor(code, message, more = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'LaunchError';
    this.code = code;
    this.hint = more.hint;
    this.exitCode = more.exitCode ?? 1;
  }
}

/**
 * One line for the terminal.
 * @param {unknown} error
 * @param {string} [verb] what could not be done
 * @returns {string}
 */
export function describeLaunchError(error, verb = 'start') {
  if (error instanceof LaunchError) {
    const hint = error.hint ? ` ${error.hint}` : '';
    return `vedette: cannot ${verb} (${error.code}): ${error.message}${hint}`;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `vedette: cannot ${verb} (unexpected): ${detail}`;
}

/**
 * @param {unknown} error
 * @returns {string} the system's code such as ENOSPC, or an empty string
 */
export function systemCode(error) {
  const code = /** @type {{ code?: unknown } | null} */ (error)?.code;
  return typeof code === 'string' ? code : '';
}
