import type { ImportIssue } from '@clinical-records/core';
import type { Clinic } from '../../clinic.ts';

export const leftOutMessage = 'The element cannot be stored, and was not imported.';

/** An issue as `expression: message`. */
export const sentenceOf = ({ expression, message }: ImportIssue): string =>
  expression === undefined ? message : `${expression}: ${message}`;

/** Loads resources, and shows how many were imported, and each issue and warning as `id: expression: message`. */
export const createLoader =
  (clinic: () => Clinic) =>
  async (...resources: (string | object)[]) => {
    const problems: string[] = [];
    const onIssue = (issue: ImportIssue) => problems.push(`${issue.id}: ${sentenceOf(issue)}`);
    const { imported } = await clinic().records.importer.load(resources, { onIssue });
    return { imported, problems };
  };
