import { expect, test } from 'vitest';
import { findVaccines, vaccineNamed } from '../../src/model/immunization/find-vaccines.ts';
import { tradeNames, vaccines } from '../../src/model/immunization/vaccine-codes.ts';

const namesFor = (text: string) => findVaccines(text).map(({ name }) => name);

test.each([
  ['encephalitis tick', ['Tick-borne encephalitis']],
  ['BOOSTRIX', ['Tdap']],
  ['gardasil 9', ['HPV9']],
  ['cvx 115', ['Tdap']],
  ['nothing of this', []],
])('“%s” finds %j', (text, names) => {
  expect(namesFor(text)).toEqual(names);
});

test('a code finds its vaccine first, and a part of a name all that have it', () => {
  expect(namesFor('20')[0]).toBe('DTaP');
  expect(namesFor('infl')).toHaveLength(6);
  expect(namesFor('')).toHaveLength(Object.keys(vaccines).length);
});

test('a part of a name is not a vaccine, and a name is, in any case', () => {
  expect(vaccineNamed('infl')).toBeUndefined();
  expect(vaccineNamed(' tdap ')).toMatchObject({ code: '115', detail: 'Adacel, Boostrix · CVX 115' });
});

test('each trade name is that of a vaccine of the list', () => {
  expect(Object.keys(tradeNames).filter((code) => !(code in vaccines))).toEqual([]);
});
