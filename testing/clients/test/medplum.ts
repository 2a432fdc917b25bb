import { MedplumClient } from '@medplum/core';
import { describe, expect, test } from 'vitest';
import { ada, immunizationOf } from './bodies.ts';
import { type Clinic, goalCount, token } from './clinic.ts';

/** The steps of its README, as it comes. */
export const describeMedplumClient = (clinic: () => Clinic): void => {
  const connect = (url = clinic().baseUrl) => {
    const { origin, pathname } = new URL(url);
    return new MedplumClient({ baseUrl: origin, fhirUrlPath: pathname.slice(1), accessToken: token });
  };
  const create = () => connect().createResource(immunizationOf('medplum'));
  const outcomeOf = (rule: object) => ({ outcome: { resourceType: 'OperationOutcome', issue: [rule] } });

  describe('MedplumClient', () => {
    test('reads the capability statement', async () => {
      const medplum = connect();
      expect(await medplum.get(medplum.fhirUrl('metadata'))).toMatchObject({ fhirVersion: '4.0.1' });
    });
    test('reads a resource, and a version', async () => {
      expect(await connect().readResource('Goal', 'goal-0')).toMatchObject({ lifecycleStatus: 'completed' });
      expect(await connect().readVersion('Goal', 'goal-0', '1')).toMatchObject({ lifecycleStatus: 'active' });
    });
    test('reads a history, newest first, and a page of it', async () => {
      const history = await connect().readHistory('Goal', 'goal-0');
      expect(history.entry).toMatchObject([
        { resource: { lifecycleStatus: 'completed' } },
        { resource: { lifecycleStatus: 'active' } },
      ]);
      const page = await connect().readHistory('Goal', 'goal-0', { count: 1, offset: 1 });
      expect(page.entry).toEqual(history.entry?.slice(1));
    });
    test('searches for a bundle, for resources, and for one', async () => {
      const bundle = await connect().search('Goal', { patient: 'Patient/amy', _count: 2 });
      expect(bundle).toMatchObject({ type: 'searchset', total: goalCount });
      const resources = bundle.entry?.map((entry: { resource: unknown }) => entry.resource);
      expect([...(await connect().searchResources('Goal', 'patient=amy&_count=2'))]).toEqual(resources);
      expect(await connect().searchOne('Goal', 'patient=amy')).toEqual(resources?.[0]);
    });
    test.each([{}, { _count: 100 }])('follows the pages of a search: %j', async (count) => {
      const ids: (string | undefined)[] = [];
      for await (const page of connect().searchResourcePages('Goal', { patient: 'amy', ...count })) {
        ids.push(...page.map(({ id }) => id));
      }
      expect([new Set(ids).size, ids.length]).toEqual([goalCount, goalCount]);
    });
    test('follows the pages of a search with a form', async () => {
      const medplum = connect();
      const form = 'application/x-www-form-urlencoded';
      let page = await medplum.post(medplum.fhirUrl('Goal', '_search'), 'patient=amy&_count=100', form);
      const sizes = [page.entry.length];
      for (let next: string | undefined; ; ) {
        next = page.link.find(({ relation }: { relation: string }) => relation === 'next')?.url;
        if (next === undefined) break;
        page = await medplum.get(next);
        sizes.push(page.entry.length);
      }
      expect(sizes).toEqual([100, 100, 50]);
    });
    test('creates a resource, and reads it', async () => {
      const created = await create();
      expect(created).toMatchObject({ ...immunizationOf('medplum'), meta: { versionId: '1' } });
      expect(await connect().readResource('Immunization', created.id)).toEqual(created);
    });
    test('creates a resource, and follows its Location', async () => {
      const options = { followRedirectOnCreated: true };
      const created = await connect().createResource(immunizationOf('medplum'), options);
      expect(created).toMatchObject(immunizationOf('medplum'));
    });
    test('updates a resource that it has read, if nobody else has changed it', async () => {
      const read = await connect().readResource('CareTeam', 'medplum');
      const update = () =>
        connect().updateResource(
          { ...read, participant: [ada] },
          { headers: { 'If-Match': `W/"${read.meta?.versionId}"` } },
        );
      expect(await update()).toMatchObject({ id: 'medplum', participant: [ada], meta: { versionId: '2' } });
      await expect(update()).rejects.toMatchObject(
        outcomeOf({
          ...{ code: 'conflict', details: { text: 'Resource updated since If-Unmodified-Since date' } },
        }),
      );
    });
    test('marks an immunization as entered in error', async () => {
      const read = await create();
      const marked = await connect().updateResource({ ...read, status: 'entered-in-error' as const });
      expect(marked).toMatchObject({ id: read.id, status: 'entered-in-error', meta: { versionId: '2' } });
    });
    test('resolves a reference', async () => {
      const goal = await connect().readReference({ reference: 'Goal/goal-0' });
      expect(goal).toMatchObject({ resourceType: 'Goal', id: 'goal-0' });
    });
    test('resolves the references to people', async () => {
      const { subject, expressedBy } = await connect().readResource('Goal', 'goal-0');
      expect(await connect().readReference(subject)).toMatchObject({ resourceType: 'Patient', id: 'amy' });
      expect(await connect().readReference(expressedBy ?? {})).toMatchObject({
        ...{ resourceType: 'Practitioner', name: [{ family: 'Byron', given: ['Ada'] }] },
      });
    });
    test('gets nothing if it names the version that it has', async () => {
      const headers = { 'If-None-Match': 'W/"2"' };
      expect(await connect().readResource('Goal', 'goal-0', { headers })).toBeUndefined();
    });
    test('rejects with the OperationOutcome of an error', async () => {
      const wrong = { ...immunizationOf('medplum'), primarySource: 'no' };
      await expect(connect().createResource(wrong as never)).rejects.toMatchObject(
        outcomeOf({ code: 'invalid', expression: ['Immunization.primarySource'] }),
      );
      await expect(connect().readResource('Goal', 'none')).rejects.toMatchObject(
        outcomeOf({ code: 'not-found', details: { text: "Unknown Goal resource 'none'" } }),
      );
    });
    test('writes to the interface with its defaults if it prefers the resource', async () => {
      const created = await connect(clinic().nullUrl).createResource(immunizationOf('medplum'), {
        headers: { Prefer: 'return=representation' },
      });
      expect(created).toMatchObject(immunizationOf('medplum'));
    });
  });
};
