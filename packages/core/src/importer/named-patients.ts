import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryIssue } from '../directory/model.ts';
import { type Outcome, ruleViolation } from '../errors.ts';
import type { JsonObject } from '../fhir/schema.ts';
import { toSearchError } from '../records/find.ts';
import type { ImportContext } from './import-definition.ts';
import { importIssue } from './import-report.ts';
import type { IdentifierToken, PeopleOfLoad, ResolvedPeople } from './people-of-load.ts';
import type { UnpackedResource } from './unpacker.ts';

/** Three are enough to know that more than one has an identifier, even if one of them was merged into another. */
const maxFound = 3;

/** The patients in the clinic who have one of the identifiers, without those who were merged into others. */
const findInClinic = async (
  { store, find }: DirectoryRecords,
  tokens: readonly IdentifierToken[],
): Outcome<readonly string[]> => {
  const page = await store.search({
    type: 'Patient',
    conditions: [{ on: 'token', parameter: 'identifier', anyOf: tokens }],
    start: { offset: 0 },
    count: maxFound,
    withTotal: false,
  });
  if (E.isLeft(page)) return E.left(toSearchError(page.left));
  const references: string[] = [];
  for (const { id } of page.right.matches) {
    const patient = await find('Patient', id);
    if (E.isLeft(patient)) return patient;
    if (patient.right.state?.replacedBy === undefined) references.push(`Patient/${id}`);
  }
  return E.right(references);
};

/** Finds the patient of a resource that names the patient by an identifier, in the load and in the clinic. */
export const resolvePatient = async (
  people: PeopleOfLoad,
  { type, content }: Pick<UnpackedResource, 'type' | 'content'>,
  { directory, isLastPass }: Pick<ImportContext, 'directory' | 'isLastPass'>,
): Outcome<ResolvedPeople> => {
  const named = people.namedPatient(content);
  if (named === null) return E.right({ content, isWaiting: false });
  const { element, tokens } = named;
  const inLoad = people.findPatients(tokens);
  if (inLoad.length === 0 && !isLastPass) return E.right({ content, isWaiting: true });
  const inClinic = await findInClinic(directory, tokens);
  if (E.isLeft(inClinic)) return inClinic;
  const [reference, ...others] = new Set([...inLoad, ...inClinic.right]);
  const expression = `${type}.${element}`;
  if (reference === undefined) return E.left(ruleViolation(directoryIssue('unknown-patient', expression)));
  if (others.length > 0) return E.left(ruleViolation(importIssue('ambiguous-patient', expression)));
  const subject = { ...(content[element] as JsonObject), reference };
  return E.right({ content: { ...content, [element]: subject }, isWaiting: false });
};
