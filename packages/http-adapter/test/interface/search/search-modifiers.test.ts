import { beforeEach, describe, expect, test } from 'vitest';
import { ada, bob, goal, labOrder, team } from '../../builders.ts';
import { nurse } from '../../clinic.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Search', (clinic) => {
  beforeEach(async () => {
    const { record, records } = clinic();
    await record(goal({ id: 'walk', dueDate: '2026-05-01' }));
    await record(goal({ id: 'run' }));
    await record(goal({ id: 'ben', patientId: 'ben', description: 'x'.repeat(501) }));
    await record({ kind: 'closeGoal', goalId: 'run' });
    await record(labOrder({ id: 'order' }));
    await records.careTeams.update('amy', team(ada, bob));
    await records.careTeams.update('amy', team(ada));
  });

  const found = async (path: string, token = 'full') => idsOf(await clinic().send('GET', path, { token }));

  describe('With `:not`, a token finds the resources that have none of its values', () => {
    test.each([
      ['/Goal?lifecycle-status:not=completed', ['walk', 'ben']],
      ['/Goal?lifecycle-status:not=completed,active', []],
      ['/Goal?lifecycle-status:not=http://hl7.org/fhir/goal-status|active', ['run']],
      ['/Goal?lifecycle-status:not=on-hold&patient=amy', ['walk', 'run']],
      ['/Goal?lifecycle-status:not=completed&lifecycle-status:not=active', []],
      ['/Goal?lifecycle-status:not=completed&lifecycle-status=completed', []],
      ['/Goal?description:not=Walk a mile', ['ben']],
      ['/Goal?_id:not=walk,run', ['ben']],
      [`/CareTeam?role:not=${nurse.code}&patient=amy`, ['amy']],
      ['/CareTeam?_id:not=amy&patient=amy', ['amy.inactive']],
      ['/ServiceRequest?code:not=718-7', []],
      ['/ServiceRequest?category:not=363679005', ['order']],
      ['/Patient?_id:not=amy,nobody&name=amy', []],
    ])('%s', async (path, ids) => {
      expect(await found(encodeURI(path))).toEqual(ids);
    });
    test('also those without any', async () => {
      expect(await found(`/CareTeam?role:not=${nurse.code}`)).toContain('ben');
    });
  });

  describe('With `:missing=true`, a parameter finds the resources without a value, and with `:missing=false` those with any', () => {
    test.each([
      ['/Goal?target-date:missing', ['run', 'ben'], ['walk']],
      ['/Goal?description:missing', [], ['walk', 'run', 'ben']],
      ['/Goal?patient:missing', [], ['walk', 'run', 'ben']],
      ['/Goal?_id:missing', [], ['walk', 'run', 'ben']],
      ['/Goal?_lastUpdated:missing', [], ['walk', 'run', 'ben']],
      ['/ServiceRequest?authored:missing', [], ['order']],
      ['/CareTeam?patient=amy,ben&participant:missing', ['ben'], ['amy', 'amy.inactive']],
      ['/CareTeam?patient=amy,ben&role:missing', ['ben'], ['amy', 'amy.inactive']],
      ['/Patient?_id=amy&name:missing', [], ['amy']],
    ])('%s', async (path, missing, present) => {
      expect([await found(`${path}=true`), await found(`${path}=false`)]).toEqual([missing, present]);
    });
  });

  test('With the type as the modifier, a reference finds only resources of that type, also if another one has the same id', async () => {
    const { directory, careTeams } = clinic().records;
    await directory.put('Organization', { id: 'ada', name: 'ADA Labs' });
    await careTeams.update('ben', {
      id: 'ben',
      participant: [{ member: { reference: 'Organization/ada' } }],
    });
    expect(await found('/CareTeam?status=active&participant=ada')).toEqual(['amy', 'ben']);
    expect(await found('/CareTeam?status=active&participant:Practitioner=ada')).toEqual(['amy']);
    expect(await found('/CareTeam?status=active&participant:Organization=ada')).toEqual(['ben']);
  });

  test('a page of such a search has the total, and its links keep the modifier', async () => {
    const first = await clinic().get('/Goal?lifecycle-status:not=completed&_count=1');
    expect([idsOf(first), first.json.total]).toEqual([['walk'], 2]);
    const next = linkOf(first, 'next') ?? '';
    expect(next).toContain('lifecycle-status%3Anot=completed&');
    expect(await found(`/${next}`)).toEqual(['ben']);
  });

  test('under a `patient/` scope, it finds nothing in another chart', async () => {
    expect(await found('/Goal?lifecycle-status:not=completed', 'amy')).toEqual(['walk']);
    expect(await found('/Goal?target-date:missing=true', 'amy')).toEqual(['run']);
    expect(await found('/Goal?_id:not=walk', 'amy')).toEqual(['run']);
    expect(await found('/Patient?_id:not=ben', 'amy')).toEqual(['amy']);
  });

  test.each([
    ['/Goal?target-date:not=2026', 'target-date'],
    ['/Goal?patient:not=amy', 'patient'],
    ['/Goal?lifecycle-status:not=activ', 'lifecycle-status'],
    ['/Goal?target-date:missing=no', 'target-date'],
    ['/Provenance?target=Goal/walk&_id:not=x', '_id'],
    ['/Goal/walk/_history?_since:missing=true', '_since'],
  ])('%s is a 400', async (path, parameter) => {
    expectError(await clinic().get(path), 400, `http.${parameter}`);
  });
});
