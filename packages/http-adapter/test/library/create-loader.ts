import type { ImportIssue } from '@clinical-records/core';
import type { Clinic } from '../clinic.ts';

export const leftOutMessage = 'The element cannot be stored, and was not imported.';

/** An issue as `expression: message`. */
export const sentenceOf = ({ expression, message }: ImportIssue): string =>
  expression === undefined ? message : `${expression}: ${message}`;

/** Loads resources, and shows how many were imported, and each issue as `id: expression: message`. */
export const createLoader =
  (clinic: () => Clinic) =>
  async (...resources: (string | object)[]) => {
    const { imported, issues } = await clinic().records.importer.load(resources);
    return { imported, problems: issues.map((issue) => `${issue.id}: ${sentenceOf(issue)}`) };
  };
