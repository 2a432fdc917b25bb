import { expect, test } from 'vitest';
import { nuts, openClinic } from './clinic.ts';
import { stores } from './stores.ts';

test.each(stores)("what a body of a host's type would write can be validated (%s)", async (_, openStore) => {
  const { send, records } = await openClinic(await openStore());
  const validate = async (path: string, body: object) => {
    const { status, json } = await send('POST', `${path}/$validate`, { body });
    return [status, json.issue.map(({ severity }: { severity: string }) => severity)];
  };
  expect(await validate('/AllergyIntolerance', nuts())).toEqual([200, ['information']]);
  expect(await validate('/AllergyIntolerance', nuts({ criticality: 'much' }))).toEqual([200, ['error']]);
  expect(await validate('/AllergyIntolerance/none', { ...nuts(), id: 'none' })).toEqual([404, ['error']]);
  expect((await records.allergies.search({ patient: 'amy' })).total).toBe(0);
  // It is only imported.
  expect(await validate('/Condition', {})).toEqual([405, ['error']]);
});
