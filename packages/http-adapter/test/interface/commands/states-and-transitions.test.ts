import { describe, expect, test } from 'vitest';
import { ada, bob, goal, immunizationStatement, lab, labOrder, statement, team } from '../../builders.ts';
import { nurse } from '../../clinic.ts';
import { expectError, expectNullBody, membersOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('States and transitions', (clinic) => {
  const read = async (path: string) => (await clinic().get(`/${path}`)).json;

  describe('ServiceRequest.status: States: active, completed, draft, entered-in-error', () => {
    const status = async () => (await read('ServiceRequest/hb')).status;
    test('draft, active and completed', async () => {
      const { id } = await clinic().stage(labOrder({ id: 'hb' }));
      expect(await status()).toBe('draft');
      await clinic().commit(id);
      expect(await status()).toBe('active');
      await clinic().completeOrder(id);
      expect(await status()).toBe('completed');
    });
    test('entered-in-error from draft, once it is discarded', async () => {
      const { id } = await clinic().stage(labOrder({ id: 'hb' }));
      await clinic().discard(id);
      expect(await status()).toBe('entered-in-error');
    });
    test('active again from completed, once it is reopened, and completed again', async () => {
      const { id } = await clinic().record(labOrder({ id: 'hb' }));
      await clinic().completeOrder(id);
      await clinic().reopenOrder(id);
      expect(await status()).toBe('active');
      await clinic().completeOrder(id);
      expect(await status()).toBe('completed');
    });
    test('entered-in-error stays so, also of an order that had been completed', async () => {
      const { id } = await clinic().record(labOrder({ id: 'hb' }));
      await clinic().completeOrder(id);
      await clinic().enterInError(id);
      await expect(clinic().reopenOrder(id)).rejects.toMatchObject({ issues: [{ rule: 'not-completed' }] });
      expect(await status()).toBe('entered-in-error');
    });
    test.each(['active', 'completed'])('entered-in-error from %s', async (from) => {
      const { id } = await clinic().record(labOrder({ id: 'hb' }));
      if (from === 'completed') await clinic().completeOrder(id);
      expect(await status()).toBe(from);
      await clinic().enterInError(id);
      expect(await status()).toBe('entered-in-error');
    });
  });

  describe('Goal.lifecycleStatus', () => {
    const status = async () => (await read('Goal/walk')).lifecycleStatus;
    test('active | A Close Goal command is committed for the goal | Goal is closed | completed | none stated', async () => {
      await clinic().record(goal());
      const { id } = await clinic().stage({ kind: 'closeGoal', goalId: 'walk' });
      expect(await status()).toBe('active');
      await clinic().commit(id);
      expect(await status()).toBe('completed');
    });
    test('(any goal not closed) | none | Goal has not been closed | active | All goals that are not closed read as active', async () => {
      await clinic().record(goal({ achievementStatus: 'not-attainable' }));
      await clinic().record({ kind: 'updateGoal', goalId: 'walk', achievementStatus: 'achieved' });
      expect(await status()).toBe('active');
    });
    test('(any goal not closed) | none | Goal has not been closed | active | All goals that are not closed read as active: a goal that is closed does not, and is refused if it is closed again', async () => {
      const close = { kind: 'closeGoal', goalId: 'walk' } as const;
      await clinic().record(goal());
      await clinic().record(close);
      await clinic().record({ kind: 'updateGoal', goalId: 'walk', achievementStatus: 'in-progress' });
      await expect(clinic().record(close)).rejects.toMatchObject({ issues: [{ rule: 'goal-closed' }] });
      expect(await status()).toBe('completed');
    });
    test('(goal command) | The goal command is entered in error | none stated | entered-in-error | none stated', async () => {
      const { id } = await clinic().record(goal());
      await clinic().enterInError(id);
      expect(await status()).toBe('entered-in-error');
    });
    test('a closed goal whose goal command is entered in error is entered-in-error', async () => {
      const { id } = await clinic().record(goal());
      await clinic().record({ kind: 'closeGoal', goalId: 'walk' });
      await clinic().enterInError(id);
      expect(await status()).toBe('entered-in-error');
    });
  });

  describe('CareTeam participants: States: proposed, active, suspended, inactive, entered-in-error', () => {
    const put = (...participants: object[]) => clinic().put('/CareTeam/amy', team(...participants));
    const statuses = async () => {
      const found: Record<string, string[]> = {};
      for (const status of ['proposed', 'active', 'suspended', 'inactive', 'entered-in-error']) {
        const members = membersOf(await read(`CareTeam/amy.${status}`));
        if (members.length > 0) found[status] = members;
      }
      return found;
    };

    test('any / none | PUT /CareTeam/{id} | Participant is included in the payload | active: of a participant who was not there', async () => {
      await put(ada);
      expect(await statuses()).toEqual({ active: ['Practitioner/ada'] });
    });
    describe("any / none | PUT /CareTeam/{id} | Participant is included in the payload | active | The participant is one of the patient's active participants", () => {
      test.each(['proposed', 'active', 'suspended', 'inactive', 'entered-in-error'] as const)(
        '%s',
        async (status) => {
          const { setParticipantStatus } = clinic().records.careTeams;
          await setParticipantStatus('amy', 'Practitioner/ada', status, { role: nurse });
          expect(await statuses()).toEqual({ [status]: ['Practitioner/ada'] });
          expectNullBody(await put(ada), 200);
          expect(await statuses()).toEqual({ active: ['Practitioner/ada'] });
        },
      );
    });
    test('active | PUT /CareTeam/{id} | Participant is no longer in the payload | inactive', async () => {
      await put(ada, bob);
      await put(bob);
      expect(await statuses()).toEqual({ active: ['Practitioner/bob'], inactive: ['Practitioner/ada'] });
    });
    test('active | PUT /CareTeam/{id} | or participant is omitted or empty | inactive | All participants found for the subject are inactivated when the list is omitted or empty', async () => {
      await put(ada, lab);
      await put();
      expect(await statuses()).toEqual({ inactive: ['Practitioner/ada', 'Organization/lab'] });
    });
    describe('active | PUT /CareTeam/{id} | or participant is omitted or empty | inactive | All participants found for the subject are inactivated when the list is omitted or empty', () => {
      test.each([null, {}, '', [null]])('refused: %j, which is neither', async (participants) => {
        await put(ada, lab);
        const answer = await clinic().put('/CareTeam/amy', { id: 'amy', participant: participants });
        expect(answer.status).toBe(400);
        expect(await statuses()).toEqual({ active: ['Practitioner/ada', 'Organization/lab'] });
      });
    });
  });

  describe('Immunization.status', () => {
    const mark = (id: string, status: string) =>
      clinic().put(`/Immunization/${id}`, statement({ id, status }));
    const record = (status: 'completed' | 'not-done') => clinic().record(immunizationStatement({ status }));

    test('(new) | POST /Immunization | status sent is completed | completed | Stored as an Immunization Statement command; 201 returned', async () => {
      const answer = await clinic().post('/Immunization', statement());
      expect(answer.status).toBe(201);
      const id = (answer.headers.location ?? '').split('/').at(-1);
      expect(await read(`Immunization/${id}`)).toMatchObject({ status: 'completed', primarySource: false });
    });
    describe('existing Immunization Statement | PUT /Immunization/{id} | status sent is entered-in-error | entered-in-error | No other field changes are processed', () => {
      test.each(['completed', 'not-done'] as const)('from %s', async (status) => {
        await record(status);
        const before = await read('Immunization/shot');
        expectNullBody(await mark('shot', 'entered-in-error'), 200);
        expect(withoutMeta(await read('Immunization/shot'))).toEqual({
          ...withoutMeta(before),
          status: 'entered-in-error',
        });
      });
    });
    test.each(['completed', 'not-done'])(
      'an entered-in-error immunization stays so for %s',
      async (status) => {
        await record('completed');
        await mark('shot', 'entered-in-error');
        expectError(await mark('shot', status), 405, 'Immunization.status');
        expect((await read('Immunization/shot')).status).toBe('entered-in-error');
      },
    );
  });
});
