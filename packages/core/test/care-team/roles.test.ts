import { expect, test } from 'vitest';
import { rolesFrom } from '../../src/care-team/roles.ts';

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

test('what a host has of a role besides is not shown in care teams, where it could not be put back', () => {
  expect(rolesFrom([{ ...cardiologist, rank: 2 } as typeof cardiologist])).toEqual([cardiologist]);
});

test('the roles are those at the time of configuration: whoever changes the list later has checked nothing', () => {
  const given = [{ ...cardiologist }];
  const roles = rolesFrom(given);
  given.push(cardiologist);
  Object.assign(given[0] ?? {}, { display: '' });
  expect(roles).toEqual([cardiologist]);
});
