import {
  type ExportedResource,
  type PreferredHandling,
  parseReference,
} from '@clinical-records/core/adapter';
import { parseInterval } from '@clinical-records/core/rules';
import * as E from 'fp-ts/lib/Either.js';
import { type HttpError, invalidExportParameter } from '../errors.ts';
import { utc } from '../http-date.ts';

/** The type of a resource in a file. */
export type FileType = ExportedResource<string>['type'];

/** The requested part of the records. */
export type ExportRequest = {
  /** Null for all types. */
  readonly types: readonly FileType[] | null;
  readonly since: Date | undefined;
  /** Undefined for all patients. */
  readonly patientIds: readonly string[] | undefined;
};

type Pair = readonly [name: string, value: string];

const outputFormats = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Parses a FHIR `instant`; returns null if it is invalid, such as a day that does not exist. */
const parseInstant = (text: string): Date | null => {
  const interval = instantPattern.test(text) ? parseInterval(text, utc) : null;
  return interval && new Date(interval.from);
};

/** A plus in a query string means a space. Neither a format nor a time has one, so the client forgot to encode it. */
const withPlus = (value: string): string => value.replaceAll(' ', '+');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The values of a FHIR Parameters resource; null for something else. */
export const pairsOfParameters = (body: unknown): readonly Pair[] | null => {
  if (!isObject(body) || body.resourceType !== 'Parameters') return null;
  const { parameter = [] } = body;
  if (!Array.isArray(parameter)) return null;
  return parameter.filter(isObject).map(({ name, ...rest }): Pair => {
    const [value] = Object.values(rest);
    const text = isObject(value) ? value.reference : value;
    return [`${name}`, typeof text === 'string' ? text : ''];
  });
};

/** Parses the parameters of an export. Source: Bulk Data Access 2.0.0, "Query Parameters". */
export const parseExport = (
  pairs: readonly Pair[],
  {
    handling,
    allowsPatients,
    fileTypes,
  }: {
    readonly handling: PreferredHandling | undefined;
    readonly allowsPatients: boolean;
    readonly fileTypes: readonly FileType[];
  },
): E.Either<HttpError, ExportRequest> => {
  const isLenient = handling === 'lenient';
  const supportedNames = ['_type', '_since', '_outputFormat', ...(allowsPatients ? ['patient'] : [])];
  const valuesOf = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const unsupported = pairs.find(([name]) => !supportedNames.includes(name));
  if (unsupported !== undefined && !isLenient) return E.left(invalidExportParameter(unsupported[0]));
  if (!valuesOf('_outputFormat').every((format) => outputFormats.includes(withPlus(format)))) {
    return E.left(invalidExportParameter('_outputFormat'));
  }
  const [since, ...more] = valuesOf('_since').map((value) => parseInstant(withPlus(value)));
  if (since === null || more.length > 0) return E.left(invalidExportParameter('_since'));
  const sentTypes = valuesOf('_type').flatMap((value) => value.split(','));
  const types = fileTypes.filter((type) => sentTypes.includes(type));
  const hasUnknownType = sentTypes.some((type) => !fileTypes.some((fileType) => fileType === type));
  // An export without a type would need no scope.
  if (hasUnknownType && (!isLenient || types.length === 0)) return E.left(invalidExportParameter('_type'));
  const patients = valuesOf('patient').map((value) => {
    const reference = parseReference(value);
    return reference?.type === 'Patient' ? reference.id : undefined;
  });
  const patientIds = patients.filter((id) => id !== undefined);
  if (patientIds.length < patients.length) return E.left(invalidExportParameter('patient'));
  return E.right({
    types: sentTypes.length === 0 ? null : types,
    since,
    patientIds: patients.length === 0 ? undefined : patientIds,
  });
};
