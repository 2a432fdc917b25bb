import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import { readSourceId } from '../fhir/source-resource.ts';
import { recordExists } from '../records/load.ts';
import { isObject } from './bundle-entries.ts';
import type { ImportDefinition } from './resource-importer.ts';

type RequiredReference = { readonly type: 'Patient' | 'Encounter'; readonly id: string };

const toRequiredReference = (type: RequiredReference['type'], sent: unknown): RequiredReference | null => {
  const reference = isObject(sent) && typeof sent.reference === 'string' ? sent.reference : '';
  const id = readSourceId(type, { reference });
  return id === undefined ? null : { type, id };
};

/** The reference without which a resource cannot be imported: an encounter, whose patient is known if it is, or a patient. */
export const readRequiredReference = (
  resource: unknown,
  { requiresEncounter = false }: Pick<ImportDefinition, 'requiresEncounter'> = {},
): RequiredReference | null => {
  if (!isObject(resource)) return null;
  const { subject, patient, encounter } = resource;
  const required = requiresEncounter ? toRequiredReference('Encounter', encounter) : null;
  return required ?? toRequiredReference('Patient', subject ?? patient);
};

/**
 * Whether a resource refers to a patient or an encounter that is unknown. Nothing else of the resource is looked at: if the
 * resources come in a mixed order, most of them have to wait.
 */
export const lacksRequiredReference = async (
  resource: unknown,
  definition: ImportDefinition | undefined,
  { store, find }: DirectoryRecords,
): Outcome<boolean> => {
  const required = readRequiredReference(resource, definition);
  if (required === null) return E.right(false);
  const read = await store.read(required);
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  if (read.right !== null) return E.right(false);
  const found = await find(required.type, required.id);
  if (E.isRight(found)) return E.right(!recordExists(found.right));
  // An answer of the host that cannot be imported is reported with the resource that refers to it.
  return found.left._tag === 'StoreFailure' ? found : E.right(false);
};
