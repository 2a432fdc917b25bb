import * as E from 'fp-ts/lib/Either.js';
import { bodyNotSupported, type ClinicalError, type Issue } from '../errors.ts';
import { readReferenceId } from '../fhir/reference.ts';
import { type ChartLimit, requireWithinLimit } from '../records/chart-limit.ts';
import { immunizationIssue } from './issues.ts';
import type { ImmunizationCreateBody } from './request-bodies.ts';

/** Refuses an immunization that was administered here, or one of another chart. Source: docs/http-interface.md#immunization. */
export const requireCreatable = (
  { primarySource, patient }: ImmunizationCreateBody,
  limit: ChartLimit,
): E.Either<ClinicalError, void> =>
  primarySource
    ? E.left(bodyNotSupported(immunizationIssue('create-statement-only', 'Immunization.primarySource')))
    : requireWithinLimit(limit)(readReferenceId(patient));

/** Finds the rules that a body breaks, whatever is in the chart. Source: docs/http-interface.md#immunization. */
export const checkCreate = ({ status, statusReason }: ImmunizationCreateBody): readonly Issue[] => [
  ...(status === 'completed' ? [] : [immunizationIssue('create-completed-only', 'Immunization.status')]),
  ...(statusReason === undefined
    ? []
    : [immunizationIssue('reason-of-not-done', 'Immunization.statusReason')]),
];
