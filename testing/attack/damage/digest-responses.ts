import { createHash } from 'node:crypto';
import type { ResourceType } from '@clinical-records/core';
import { orThrow, type RecordRef } from '@clinical-records/core/store';
import type { Clinic } from './clinic-file.ts';

const searches: Readonly<Record<ResourceType, readonly Record<string, string>[]>> = {
  ServiceRequest: [
    {},
    { status: 'active' },
    { status: 'completed,draft' },
    { authored: 'ge2020', _count: '3' },
    { category: '108252007' },
    { _count: '2', _offset: '1' },
  ],
  Goal: [{}, { _count: '1' }, { _count: '100', _offset: '1' }],
  CareTeam: [{}, { status: 'active' }, { status: 'inactive,suspended' }, { _count: '2' }],
  Immunization: [{}, { _count: '2' }],
};

/** The names of all records of a store. */
export const listRefs = async ({ store }: Clinic): Promise<readonly RecordRef[]> =>
  (await orThrow(store.scan({ limit: 100_000 }))).map(({ type, id }) => ({ type, id }));

/** A digest of all responses of a clinic: reads, histories, searches and the feed. Rejects if any of them fails. */
export const digestResponses = async (clinic: Clinic, refs: readonly RecordRef[]): Promise<string> => {
  const { store, records } = clinic;
  const digest = createHash('sha256');
  const add = (answer: unknown) => digest.update(JSON.stringify(answer));
  for (const ref of refs) {
    add(await orThrow(store.read(ref)));
    add(await orThrow(store.readResource(ref)));
    for (const { version } of await orThrow(store.history({ ...ref, limit: 1000 }))) {
      add(await orThrow(store.readVersion({ ...ref, version })));
    }
  }
  add(await orThrow(store.changesSince({ limit: 100_000 })));
  const patients = refs.filter(({ type }) => type === 'Patient');
  const search = {
    ServiceRequest: records.serviceRequests.asJson.search,
    Goal: records.goals.asJson.search,
    CareTeam: records.careTeams.asJson.search,
    Immunization: records.immunizations.asJson.search,
  };
  for (const type of Object.keys(search) as ResourceType[]) {
    for (const parameters of searches[type]) add(await search[type](parameters));
    for (const { id } of patients) add(await search[type]({ patient: id }));
  }
  return digest.digest('hex');
};
