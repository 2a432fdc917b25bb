import * as E from 'fp-ts/lib/Either.js';
import { type BodyWrites, createByBody, updateByBody } from '../chart/body-writes.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, notFound, ruleViolation } from '../errors.ts';
import { storeCommonElements } from '../fhir/common-elements.ts';
import { createFieldParser } from '../host-fields/read-fields.ts';
import type { EithersOf } from '../outcome.ts';
import { isEnteredInError, type ResourceVersion, resourceVersionOf } from '../records/page.ts';
import {
  createChange,
  createVersionCheck,
  type LoadedRecord,
  load,
  markChangedHere,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { RecordChange, StoredRecord } from '../store/port.ts';
import type { HostBodies, SentBody } from './bodies.ts';
import type { AnyHostTypeSpec } from './model.ts';
import {
  defineHostRecord,
  type HostFacts,
  type HostRecord,
  isSameContent,
  patientIdOf,
  requireFitting,
  withProfile,
} from './record.ts';
import { hostTypeIssue } from './rules.ts';

/** The version of a record, which always has a resource. */
const versionOf = (stored: StoredRecord): ResourceVersion =>
  resourceVersionOf(stored.type, stored) as ResourceVersion;

/** The version that a change writes. */
const writtenVersion = (change: RecordChange, before: LoadedRecord<HostRecord>): ResourceVersion =>
  versionOf({ ...change, version: (before.stored?.version ?? 0) + 1 });

/** Creates the writes of a host's type by the bodies of requests. */
export const createHostWrites = (
  spec: AnyHostTypeSpec,
  facts: HostFacts,
  bodies: HostBodies,
  environment: Environment,
  directory: DirectoryRecords,
): EithersOf<BodyWrites> => {
  const { type } = spec;
  const element = `${type}.${spec.patient}`;
  const definition = defineHostRecord(spec, facts, environment);
  const context = { environment, directory, facts };
  const fields = environment.fields?.get(type);

  const create = createByBody<SentBody>(context, {
    parse: createFieldParser(bodies.create, type, fields),
    requireCreatable: (sent) =>
      isEnteredInError(facts, sent) ? E.left(ruleViolation(hostTypeIssue('new-in-error'))) : E.right(sent),
    chartOf: (sent) => ({
      patientId: patientIdOf(spec, sent),
      meta: sent.meta,
      identifier: sent.identifier,
    }),
    make: (on, sent, by) =>
      transact(on.store)(async () => {
        const known = await on.require('Patient', patientIdOf(spec, sent), element);
        if (E.isLeft(known)) return known;
        const before = missingRecord(environment.newId());
        const record = requireFitting(
          withProfile(facts, {
            id: before.id,
            elements: bodies.elementsOf(sent),
            common: storeCommonElements(sent),
          }),
        );
        if (E.isLeft(record)) return record;
        const change = createChange(definition, before, record.right, { at: environment.now(), by });
        return E.right({
          changes: [change],
          versionChecks: [createVersionCheck({ type: 'Patient' }, known.right)],
          result: writtenVersion(change, before),
        });
      }),
  });

  /** The record that the body of an update makes of another one. Labels and identifiers that it leaves out stay. */
  const replace = (
    { id, elements, common }: HostRecord,
    sent: SentBody,
  ): E.Either<ClinicalError, HostRecord> => {
    const issues = [
      ...(isEnteredInError(facts, elements) ? [hostTypeIssue('in-error')] : []),
      ...(patientIdOf(spec, elements) === patientIdOf(spec, sent)
        ? []
        : [hostTypeIssue('chart-differs', element)]),
    ];
    if (issues.length > 0) return E.left(ruleViolation(issues));
    const stored = { ...common, ...storeCommonElements(sent) };
    return requireFitting(
      withProfile(facts, {
        id,
        elements: bodies.elementsOf(sent),
        common: Object.keys(stored).length > 0 ? stored : undefined,
      }),
    );
  };

  const update = updateByBody(context, {
    parse: createFieldParser(bodies.update, type, fields),
    change: (on, id, sent, { by, isReached, requireVersion }) =>
      transact(
        on.store,
        isEnteredInError(facts, sent) ? 'retraction' : 'request',
      )(async () => {
        const loaded = await load(on.store, definition, id);
        if (E.isLeft(loaded)) return loaded;
        const before = loaded.right;
        if (!recordExists(before) || !isReached(before.stored.patientId)) return E.left(notFound(type, id));
        const { stored, state } = before;
        const required = requireVersion({ version: stored.version, lastModified: stored.at });
        if (E.isLeft(required)) return required;
        const record = replace(state, sent);
        if (E.isLeft(record)) return record;
        if (isSameContent(record.right, state))
          return E.right({ changes: [], result: { ...versionOf(stored), isUnwritten: true as const } });
        const changed = markChangedHere({ ...record.right, imported: state.imported });
        const change = createChange(definition, before, changed, { at: environment.now(), by });
        return E.right({ changes: [change], result: writtenVersion(change, before) });
      }),
  });

  return { create, update };
};
