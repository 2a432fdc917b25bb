import * as E from 'fp-ts/lib/Either.js';
import { matchingForm } from '../access/chart-limit.ts';
import { directoryResourceTypes } from '../directory/resources.ts';
import { type ClinicalError, type Issue, invalidRequest } from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import {
  anything,
  callback,
  copyOf,
  type Form,
  listOf,
  type OptionForms,
  recordOf,
  text,
  validDate,
} from '../forms.ts';
import type { SearchPairs } from '../search/search-input.ts';
import type { ExportedType, HostChartResource } from './render-records.ts';

/** The options of an export. Without options, it has everything. */
export type ExportOptions<Type extends string = ResourceType> = {
  /** The types of resources. Default: all. */
  readonly types?: readonly ExportedType<Type>[] | undefined;
  /** The types whose Provenances are exported, too: one for each version. An import does not take them. Default: none. */
  readonly provenanceOf?: readonly Type[] | undefined;
  /** The patients whose charts are exported. Of practitioners and organizations, only those that the charts name. */
  readonly patientIds?: readonly string[] | undefined;
  /** Of some types, only the resources that one of the searches finds, as `matching` of a limit says. */
  readonly matching?: Readonly<Partial<Record<Type, readonly SearchPairs[]>>> | undefined;
  /** With `patientIds`, the types of resources whose practitioners and organizations are exported. Default: all. */
  readonly membersOf?: readonly ExportedType<Type>[] | undefined;
  /**
   * Further resources of the charts, which the records do not have. They follow those of the records, as they are when they are
   * read. With `patientIds`, the practitioners and organizations that they name are exported, too.
   */
  readonly hostCharts?: AsyncIterable<HostChartResource> | undefined;
  /**
   * Only resources that were written then or later. With `patientIds`, also the practitioners and organizations that these
   * name, because it may be for the first time.
   */
  readonly since?: Date | undefined;
  /** Is called after each page of records, and whenever more was exported. An error that it throws ends the export. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
};

/** How far an export is: the argument of `onProgress`. */
export type ExportProgress = {
  /** The number of records that were looked at. Some are not resources, such as notes. */
  readonly records: number;
  /** The number of resources that were exported. */
  readonly exported: number;
};

const list: Form = { ...anything, read: copyOf };

export const exportForms: OptionForms<ExportOptions<string>> = {
  types: list,
  provenanceOf: list,
  patientIds: { ...listOf(text), error: invalidRequest(bodyIssue('type', 'patientIds', ['array'])) },
  matching: recordOf(matchingForm),
  membersOf: list,
  hostCharts: anything,
  since: validDate,
  onProgress: callback,
};

/**
 * Creates the check of options that refuses the name of a type that is not exported, and a text in place of an array, because
 * the export would be empty without a word.
 */
export const createTypeRequirement = (chartTypes: readonly string[]) => {
  const exportedTypes = [...chartTypes, ...directoryResourceTypes];
  const issuesOf = (option: string, sent: unknown, allowed?: readonly string[]): readonly Issue[] => {
    if (sent === undefined) return [];
    if (!Array.isArray(sent)) return [bodyIssue('type', option, ['array'])];
    return allowed === undefined || sent.every((type) => allowed.includes(type))
      ? []
      : [bodyIssue('value', option, allowed)];
  };

  return (sent: ExportOptions<string>): E.Either<ClinicalError, void> => {
    const issues = [
      ...issuesOf('types', sent.types, exportedTypes),
      ...issuesOf('provenanceOf', sent.provenanceOf, chartTypes),
      ...issuesOf('matching', sent.matching && Object.keys(sent.matching), chartTypes),
      ...issuesOf('membersOf', sent.membersOf, exportedTypes),
    ];
    return issues.length > 0 ? E.left(invalidRequest(issues)) : E.right(undefined);
  };
};
