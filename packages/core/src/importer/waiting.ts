import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { unknownEntry } from '../directory/faults.ts';
import type { Environment } from '../environment.ts';
import { asFailure, type ClinicalError, ruleViolation } from '../errors.ts';
import { foreignId } from '../fhir/foreign.ts';
import { isPresent } from '../records/load.ts';
import { isObject } from './bundle.ts';
import type { Intake } from './intake.ts';

type Named = { readonly type: 'Patient' | 'Encounter'; readonly id: string };

const namedBy = (type: Named['type'], sent: unknown): readonly Named[] => {
  const reference = isObject(sent) && typeof sent.reference === 'string' ? sent.reference : '';
  const id = foreignId(type, { reference });
  return id === undefined ? [] : [{ type, id }];
};

/** Without whom nothing of a resource is taken, as far as that can be read. */
const namedIn = (resource: unknown): readonly Named[] => {
  if (!isObject(resource)) return [];
  const { resourceType, subject, patient, encounter } = resource;
  return [
    ...(resourceType === 'Immunization' ? namedBy('Encounter', encounter) : []),
    ...namedBy('Patient', subject ?? patient),
  ];
};

/**
 * Refuses a resource without a look at the rest of it, while somebody whom it cannot do without may follow: in an order that
 * is mixed, most resources have to wait.
 */
export const waitingFirst =
  ({ store }: Environment, directory: DirectoryRecords) =>
  (intake: Intake): Intake => {
    const isMissing = async ({ type, id }: Named): Promise<E.Either<ClinicalError, boolean>> => {
      const read = await store.read({ type, id })();
      if (E.isLeft(read)) return E.left(asFailure(read.left));
      if (read.right !== null) return E.right(false);
      const known = await directory.known(type, id)();
      // What the host says of a record, and cannot be, is a matter of the resource that names it.
      if (E.isLeft(known)) return known.left._tag === 'StoreFailure' ? known : E.right(false);
      return E.right(!isPresent(known.right));
    };
    return (resource, mayFollow) => async () => {
      for (const named of mayFollow ? namedIn(resource) : []) {
        const missing = await isMissing(named);
        if (E.isLeft(missing)) return missing;
        if (missing.right) return E.left(ruleViolation(unknownEntry(named.type)));
      }
      return intake(resource, mayFollow)();
    };
  };
