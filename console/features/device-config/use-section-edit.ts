// The edit of one section: what was seen, what is wished, and what became of saving it; an edit that came too late gives way.
import { configSections, type Section } from '@vedette/contract/config/sections.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { limitProblems } from '@vedette/rules/config/limit-problems.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { useMemo, useState } from 'react';
import { CallFailure, isFailure } from '../../calls/call-failure.ts';
import { type SectionState, useSectionStore, type Values } from './config.query.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';

interface Edit {
  readonly seen: SectionState;
  readonly draft: Values;
}
interface Outcome {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** Fields that the device holds otherwise than they were sent. */
  readonly differing: readonly string[];
  readonly isSaved: boolean;
}
const NO_OUTCOME: Outcome = { isBusy: false, failure: null, differing: [], isSaved: false };

export function useSectionEdit(place: ChannelPlace, state: SectionState) {
  const store = useSectionStore(place, state.section);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [outcome, setOutcome] = useState<Outcome>(NO_OUTCOME);
  const { seen, draft } = edit ?? { seen: state, draft: state.value };
  const changes = useMemo(() => changesOf(draft, seen.value), [draft, seen]);
  const section: Section = configSections[state.section];
  const problems: Readonly<Record<string, FieldProblem>> = {
    ...refusedFields(outcome.failure),
    ...limitProblems(section.fields, changes, seen.capabilities),
  };
  const hasChanges = Object.keys(changes).length > 0;
  return {
    fields: section.fields,
    draft,
    limits: seen.capabilities,
    changed: new Set(Object.keys(changes)),
    hasChanges,
    problems,
    outcome,
    isStale: isFailure(outcome.failure, ERROR_CODES.stale),
    change: (part: Values): void => {
      setEdit({ seen, draft: { ...draft, ...part } });
      setOutcome(NO_OUTCOME);
    },
    revert: (): void => {
      setEdit(null);
      setOutcome(NO_OUTCOME);
    },
    save: async (): Promise<void> => {
      if (
        !hasChanges ||
        outcome.isBusy ||
        Object.keys(limitProblems(section.fields, changes, seen.capabilities)).length
      )
        return;
      setOutcome({ ...NO_OUTCOME, isBusy: true });
      try {
        const { differing, ...saved } = await store.save(changes, seen.version);
        store.keep(saved);
        setEdit(null);
        setOutcome({ ...NO_OUTCOME, differing, isSaved: true });
      } catch (failure) {
        const newer = newerState(failure);
        if (newer !== null) {
          store.keep(newer);
          setEdit(null);
        }
        setOutcome({ ...NO_OUTCOME, failure });
      }
    },
  };
}

export type SectionEdit = ReturnType<typeof useSectionEdit>;

/** Only what was changed is sent: what others changed meanwhile in silence stays theirs. */
export function changesOf(draft: Values, seen: Values): Values {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(seen[name])),
  );
}

function newerState(failure: unknown): SectionState | null {
  if (!isFailure(failure, ERROR_CODES.stale)) return null;
  const { data } = failure;
  return typeof data === 'object' && data !== null && 'value' in data && 'version' in data
    ? (data as SectionState)
    : null;
}

/** Paths below `value`, as the answer 1003 names them. */
function refusedFields(failure: unknown): Record<string, FieldProblem> {
  if (!(failure instanceof CallFailure) || failure.code !== ERROR_CODES.paramInvalid) return {};
  const fields = Object.entries((failure.data ?? {}) as Readonly<Record<string, FieldProblem>>);
  return Object.fromEntries(fields.map(([path, problem]) => [path.replace(/^value\./, ''), problem]));
}
