import { below, oneOf, randomFrom } from '../../../bench/data/random.ts';
import { codes, statuses } from './clinic.ts';

const prefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;
const maxParameters = 20;
const maxAlternatives = 500;

type Random = () => number;
type Parameters = readonly (readonly [string, string])[];

const times = <A>(count: number, make: (at: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, at) => make(at));
const upTo = (random: Random, most: number) => 1 + below(random, most);

const date = (random: Random): string => {
  const time = new Date(
    Date.UTC(2010 + below(random, 20), below(random, 12), 1 + below(random, 28), below(random, 24)),
  );
  return time.toISOString().slice(0, oneOf(random, [4, 7, 10, 16]));
};
const datePrefixed = (random: Random, allowed: readonly string[] = prefixes) => {
  const text = date(random);
  return `${oneOf(random, allowed)}${text.length === 16 ? `${text}:00Z` : text}`;
};

/** Several parameters on dates, each with several alternatives. */
const dates = (
  random: Random,
  parameters: number,
  alternatives: number,
  allowed?: readonly string[],
): Parameters =>
  times(parameters, () => ['authored', times(alternatives, () => datePrefixed(random, allowed)).join()]);

const system = 'http://snomed.info/sct';
const broadTokens = (random: Random): Parameters =>
  times(upTo(random, maxParameters), (at) =>
    oneOf(random, [
      [
        'status',
        `${statuses.filter(() => below(random, 3) > 0).join() || 'active'},http://hl7.org/fhir/request-status|`,
      ],
      ['category', `${system}|,other|${at}`],
      ['code', `http://loinc.org|,${times(20, () => `${below(random, codes)}-1`).join()}`],
      ['status', times(1 + below(random, 3), () => oneOf(random, statuses)).join()],
    ] as const),
  );

/** The parameters that a reported attack sent: seven prefixes, with other years in each parameter. */
const reportedParameters = (parameters: number): Parameters =>
  times(parameters, (at) => [
    'authored',
    `eb${1910 + at},ge${2110 + at},gt${2110 + at},le${1910 + at},lt${1910 + at},eq${1900 + at}-01-01,sa${1910 + at}`,
  ]);

/** Creates the worst searches for this many orders. The search with a number is always the same. */
export const createSearchGenerator =
  (records: number) =>
  (number: number): Parameters => {
    const random = randomFrom(number);
    const parameters = upTo(random, maxParameters);
    const alternatives = Math.floor(maxAlternatives / parameters);
    const ids = (count: number) => times(count, () => `o${below(random, records)}`).join();
    const patients = (count: number) => times(count, () => `p${below(random, records / 20)}`).join();
    const page: Parameters = [
      ['_count', String(oneOf(random, [0, 10, 100]))],
      ...(below(random, 3) === 0 ? ([['_offset', String(below(random, records))]] as const) : []),
    ];
    const kinds: readonly (() => Parameters)[] = [
      () => reportedParameters(parameters),
      () => dates(random, parameters, alternatives),
      () => dates(random, parameters, alternatives, ['ne']),
      () => dates(random, parameters, alternatives, ['ap']),
      () => dates(random, parameters, alternatives, ['eq']),
      () => dates(random, 1, 1),
      () => broadTokens(random),
      () => [...broadTokens(random).slice(0, 10), ...dates(random, 10, 20)],
      () => [['code', times(maxAlternatives, () => `${below(random, codes)}-1`).join()]],
      () => [['_id', ids(maxAlternatives)]],
      () => [['_id', ids(250)], ...dates(random, 19, 13)],
      () => [['patient', patients(maxAlternatives)]],
      () => [['patient', patients(250)], ...dates(random, 19, 13)],
      () => [['patient', patients(1)], ...dates(random, 19, 26)],
      () => [['status', oneOf(random, statuses)]],
      () => [],
    ];
    return [...oneOf(random, kinds)(), ...page];
  };
