import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, ruleViolation } from '../errors.ts';
import { directoryIssue } from './issues.ts';

/** Refuses an entry of a patient who was merged into another one: the chart is no longer written under this id. */
export const requireCurrentPatient = <Loaded extends { readonly state: unknown }>(
  loaded: Loaded,
  expression: string,
): E.Either<ClinicalError, Loaded> => {
  const { state } = loaded;
  const isReplaced = typeof state === 'object' && state !== null && 'replacedBy' in state;
  return isReplaced ? E.left(ruleViolation(directoryIssue('replaced-patient', expression))) : E.right(loaded);
};
