import * as E from 'fp-ts/lib/Either.js';
import {
  asFailure,
  type ClinicalError,
  faultsOf,
  invalidRequest,
  notFound,
  type Result,
  ruleViolation,
} from '../errors.ts';
import { sha256 } from '../sha256.ts';
import type { ClinicalStore, RecordRef } from '../store/port.ts';
import { changeTo } from './change.ts';
import { isPresent, load } from './load.ts';
import type { RecordKind } from './record-kind.ts';
import { type ResourceVersion, versionIn } from './resource-version.ts';

export const idempotencyRules = {
  'idempotency-key-form':
    'The idempotency key is not a text of 1 to 255 visible ASCII characters without spaces.',
  'idempotency-key-reused': 'The idempotency key was used before, with another body.',
} as const;

const fault = faultsOf(idempotencyRules);

/** What makes a retry safe. */
export type Idempotency = {
  /**
   * A text that the caller sends again with each retry, and with nothing else: 1 to 255 visible ASCII characters. Keys of
   * callers who differ in `by` are different keys.
   */
  readonly idempotencyKey?: string | undefined;
};

/** What was made for a key, and for which request. The key and the request are kept as digests, which tell nothing of them. */
type KeyRecord = {
  readonly id: string;
  readonly patientId: string | null;
  readonly request: string;
  readonly made: RecordRef & { readonly version: number };
};

export const idempotencyKeyKind: RecordKind<KeyRecord> = {
  type: 'IdempotencyKey',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: ({ made: { type, id } }) => [{ type, id }],
};

/** The resource as it was made, whatever has become of it since. */
const versionMade =
  (store: ClinicalStore, { type, id, version }: KeyRecord['made']): Result<ResourceVersion> =>
  async () => {
    const versions = await store.history({ type, id })();
    if (E.isLeft(versions)) return E.left(asFailure(versions.left));
    const stored = versions.right.find((one) => one.version === version);
    return E.fromNullable<ClinicalError>(notFound(type, id))(stored && versionIn(stored));
  };

/** Makes a resource in a draft, unless that was done before. */
type Once = (draft: ClinicalStore, make: Result<ResourceVersion>) => Result<ResourceVersion>;

const isKey = (key: unknown): boolean => typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key);

/**
 * How a resource of a type is made once for a key: a retry with the same body is answered as the first request was, and one
 * with another body is refused. The key is written in the commit that writes the resource. A request that was refused uses
 * up no key.
 */
export const onceForKey = (
  { idempotencyKey: key }: Idempotency,
  { by, type, body }: { readonly by: string | null; readonly type: string; readonly body: unknown },
): E.Either<ClinicalError, Once> => {
  if (key === undefined) return E.right((_, make) => make);
  if (!isKey(key)) return E.left(invalidRequest(fault('idempotency-key-form')));
  const [ofKey, ofRequest] = [JSON.stringify([by, key]), JSON.stringify([type, body])];
  return E.right((draft, make) => async () => {
    const [id, request] = await Promise.all([sha256(ofKey), sha256(ofRequest)]);
    const loaded = await load(draft, idempotencyKeyKind, id)();
    if (E.isLeft(loaded)) return loaded;
    if (isPresent(loaded.right)) {
      return loaded.right.state.request === request
        ? versionMade(draft, loaded.right.state.made)()
        : E.left(ruleViolation(fault('idempotency-key-reused')));
    }
    const made = await make();
    if (E.isLeft(made)) return made;
    const { id: idMade, patientId, version, lastModified: at } = made.right;
    const state = { id, patientId, request, made: { type, id: idMade, version } };
    const change = changeTo(idempotencyKeyKind, loaded.right, state, { at, by });
    const kept = await draft.commit({ changes: [change], premises: [] })();
    return E.isLeft(kept) ? E.left(asFailure(kept.left)) : made;
  });
};
