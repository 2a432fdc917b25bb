import type { ClinicalError } from '@clinical-records/core';
import { type AccessHooks, isId, readOwners } from '@clinical-records/core/adapter';
import { type Outcome, toEithers } from '@clinical-records/core/fp-ts';
import * as E from 'fp-ts/lib/Either.js';
import { createOutcomeIssue, httpErrorOf, httpIssue, operationOutcomeOf } from '../errors.ts';
import {
  isResourceRoute,
  type Route,
  type RouteRequest,
  type RouteResult,
  type ServedRecords,
  type WrittenRecords,
} from './route.ts';

/** The endpoint of a write, before it is known on which records it is made. */
export type Write = Omit<Route, 'run' | 'isValidation'> & {
  readonly run: (records: WrittenRecords, request: RouteRequest) => Outcome<RouteResult>;
};

type Parameter = {
  readonly name?: unknown;
  readonly resource?: unknown;
  readonly valueCode?: unknown;
} | null;

const invalid = (rule: 'validate-parameters' | 'validate-mode', expression: string): ClinicalError => ({
  _tag: 'InvalidRequest',
  issues: [httpIssue(rule, expression)],
});

/** The resource of a validation, and its mode; `mode` is undefined if none is named. */
type ValidationRequest = { readonly resource: unknown; readonly mode: unknown; readonly modeAt: string };

/** Reads the body of a validation: a resource, or Parameters with one. Source: FHIR R4, Resource, "$validate". */
const readValidationRequest = ({
  body,
  parameters,
}: RouteRequest): E.Either<ClinicalError, ValidationRequest> => {
  const inQuery = [...parameters];
  const unknown = inQuery.find(([name]) => name !== 'mode');
  if (unknown !== undefined) return E.left(invalid('validate-parameters', 'http.query'));
  const queried = { mode: inQuery[0]?.[1], modeAt: 'http.mode' };
  const { resourceType, parameter } = (body ?? {}) as {
    readonly resourceType?: unknown;
    readonly parameter?: unknown;
  };
  if (resourceType !== 'Parameters') return E.right({ resource: body, ...queried });
  const sent: readonly Parameter[] = Array.isArray(parameter) ? parameter : [];
  const at = (name: string) => sent.findIndex((part) => part?.name === name);
  const [resourceAt, modeAt] = [at('resource'), at('mode')];
  const isKnown = sent.every((_, index) => index === resourceAt || index === modeAt);
  if (resourceAt === -1 || !isKnown) return E.left(invalid('validate-parameters', 'Parameters.parameter'));
  const mode =
    modeAt === -1 ? queried : { mode: sent[modeAt]?.valueCode, modeAt: `Parameters.parameter[${modeAt}]` };
  return E.right({ resource: sent[resourceAt]?.resource, ...mode });
};

/** The resource to validate. Its mode, if there is one, must be the interaction of the endpoint. */
const readResource = (
  { interaction }: Pick<Route, 'interaction'>,
  request: RouteRequest,
): E.Either<ClinicalError, unknown> => {
  const sent = readValidationRequest(request);
  if (E.isLeft(sent)) return sent;
  const { resource, mode = interaction, modeAt } = sent.right;
  return mode === interaction ? E.right(resource) : E.left(invalid('validate-mode', modeAt));
};

/** The patients whom a body names. A validation may say something about their charts. */
const patientsNamedIn = (body: unknown): readonly string[] => {
  const { patientId, ...resource } = (body ?? {}) as { readonly patientId?: unknown };
  const { patientIds } = readOwners({ ...resource, resourceType: '' });
  return isId(patientId) ? [patientId, ...patientIds] : patientIds;
};

/** The hook of a validation: a version that was not written cannot be read again, so only its patient is reported. */
const createOnReturn =
  ({ onReturn }: AccessHooks): AccessHooks['onReturn'] =>
  ({ resources, searchedPatientIds }) =>
    onReturn?.({
      resources: [],
      searchedPatientIds: [...searchedPatientIds, ...resources.flatMap(({ patientId }) => patientId ?? [])],
    });

/** The errors that judge what was sent. With any other, it could not be judged. */
const judgements: ReadonlySet<ClinicalError['_tag']> = new Set([
  'InvalidRequest',
  'NotSupported',
  'RuleViolation',
]);

const fine = {
  severity: 'information',
  code: 'informational',
  details: { text: 'OK' },
  diagnostics: 'It would be written. Nothing was written.',
};

/** The outcome of a validation, as JSON text: the issues of the write, or its warnings. */
const renderJudgement = (written: E.Either<ClinicalError, RouteResult>): E.Either<ClinicalError, string> => {
  if (E.isLeft(written))
    return judgements.has(written.left._tag)
      ? E.right(JSON.stringify(operationOutcomeOf(httpErrorOf(written.left))))
      : written;
  const warnings = typeof written.right === 'string' ? [] : (written.right.warnings ?? []);
  const toIssue = createOutcomeIssue('warning', { code: 'business-rule', text: 'OK' });
  return E.right(
    JSON.stringify({ resourceType: 'OperationOutcome', issue: [fine, ...warnings.map(toIssue)] }),
  );
};

/**
 * The endpoints of a write: its own, and the one that validates what it would write. That one needs the same scopes, asks the same
 * rules, and writes nothing, so it ignores a key and the conditions. Source: FHIR R4, Resource, "$validate".
 */
export const createWriteRoutes = (
  records: ServedRecords,
  { run, ...described }: Write,
): readonly [write: Route, validation: Route] => {
  const { type, level, interaction, isBodyOptional, furtherInteractions, errorTags } = described;
  const write: Route = { ...described, run: run.bind(null, records) };
  const validation: Route = {
    ...{ type, level, interaction },
    errorTags: ['InvalidRequest', ...errorTags.filter((tag) => !judgements.has(tag))],
    method: 'POST',
    bodyFormat: 'json',
    isValidation: true,
    ...(isBodyOptional && { isBodyOptional }),
    ...(furtherInteractions && { furtherInteractions }),
    run: async (request) => {
      const body = isResourceRoute(write) ? readResource(described, request) : E.right(request.body);
      if (E.isLeft(body)) return body;
      const onReturn = createOnReturn(request.access);
      onReturn?.({ resources: [], searchedPatientIds: patientsNamedIn(body.right) });
      const asked = { ...request, body: body.right, idempotencyKey: undefined };
      const sent = { ...asked, write: { ...request.write, onReturn } };
      return renderJudgement(await records.dryRun((tx) => run(toEithers(tx), sent)));
    },
  };
  return [write, validation];
};
