import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { unknownEntryIssue } from '../directory/issues.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, ruleViolation, toClinicalError } from '../errors.ts';
import { readSourceId } from '../fhir/source-resource.ts';
import { recordExists } from '../records/load.ts';
import { isObject } from './bundle-entries.ts';
import type { ResourceImporter } from './resource-importer.ts';

type RequiredReference = { readonly type: 'Patient' | 'Encounter'; readonly id: string };

const toRequiredReferences = (type: RequiredReference['type'], sent: unknown): RequiredReference | null => {
  const reference = isObject(sent) && typeof sent.reference === 'string' ? sent.reference : '';
  const id = readSourceId(type, { reference });
  return id === undefined ? null : { type, id };
};

/** Without whom nothing of a resource is taken, as far as that can be read: the encounter, whose patient is known if it is. */
const readRequiredReferences = (resource: unknown): RequiredReference | null => {
  if (!isObject(resource)) return null;
  const { resourceType, subject, patient, encounter } = resource;
  const named = resourceType === 'Immunization' ? toRequiredReferences('Encounter', encounter) : null;
  return named ?? toRequiredReferences('Patient', subject ?? patient);
};

/**
 * Refuses a resource without a look at the rest of it, while somebody whom it cannot do without may follow: in an order that
 * is mixed, most resources have to wait.
 */
export const createIncompleteDeferral =
  ({ store }: Environment, directory: DirectoryRecords) =>
  (intake: ResourceImporter): ResourceImporter => {
    const isMissing = async ({ type, id }: RequiredReference): Promise<E.Either<ClinicalError, boolean>> => {
      const found = await directory.find(type, id)();
      // What the host says of a record, and cannot be, is a matter of the resource that names it.
      if (E.isLeft(found)) return found.left._tag === 'StoreFailure' ? found : E.right(false);
      return E.right(!recordExists(found.right));
    };
    return (resource, mayFollow) => async () => {
      const named = mayFollow ? readRequiredReferences(resource) : null;
      if (named !== null) {
        const read = await store.read(named)();
        if (E.isLeft(read)) return E.left(toClinicalError(read.left));
        const missing = read.right === null ? await isMissing(named) : E.right(false);
        if (E.isLeft(missing)) return missing;
        if (missing.right) return E.left(ruleViolation(unknownEntryIssue(named.type)));
      }
      return intake(resource, mayFollow)();
    };
  };
