// The sealed files of a site's state folder, by what each is for: what a change of the master key seals anew.

/** The purpose separates their keys. */
export const SEALED_FILES = {
  assignments: 'assignments.sealed',
  trust: 'trust.sealed',
  enrolment: 'enrolment.sealed',
} as const;
