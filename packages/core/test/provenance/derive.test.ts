import { describe, expect, test } from 'vitest';
import { deriveProvenance } from '../../src/resources.ts';

const version = { type: 'Goal', id: 'walk', version: 3 } as const;
const at = Date.parse('2026-03-01T08:00:00.250Z');
const organization = { reference: 'Organization/31', display: 'Green Clinic' } as const;
const profile = ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-provenance'];

const derive = (by: string | null, clinic: Parameters<typeof deriveProvenance>[2] = organization) =>
  deriveProvenance(version, { at, by, isFirst: false }, clinic);

const codeOf = ({ coding }: { readonly coding: readonly { readonly code: string }[] }) => coding[0]?.code;

test('a Provenance says which version it is about, when it was written and by whom, and who provides it', () => {
  const author = {
    type: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
          code: 'author',
          display: 'Author',
        },
      ],
    },
    who: { reference: 'Practitioner/12', type: 'Practitioner' },
    onBehalfOf: { reference: 'Organization/31', type: 'Organization', display: 'Green Clinic' },
  };
  const transmitter = {
    type: {
      coding: [
        {
          system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
          code: 'transmitter',
          display: 'Transmitter',
        },
      ],
    },
    who: { reference: 'Organization/31', type: 'Organization', display: 'Green Clinic' },
    onBehalfOf: { reference: 'Organization/31', type: 'Organization', display: 'Green Clinic' },
  };
  expect(derive('Practitioner/12')).toEqual({
    resourceType: 'Provenance',
    id: 'G-walk-3',
    meta: { versionId: '1', lastUpdated: '2026-03-01T08:00:00.250+00:00', profile },
    target: [{ reference: 'Goal/walk/_history/3', type: 'Goal' }],
    recorded: '2026-03-01T08:00:00.250+00:00',
    activity: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/v3-DataOperation',
          code: 'UPDATE',
          display: 'revise',
        },
      ],
    },
    agent: [author, transmitter],
  });
});

test('the first version is a CREATE', () => {
  const { activity } = deriveProvenance(version, { at, by: null, isFirst: true }, null);
  expect(codeOf(activity)).toBe('CREATE');
});

describe('the author acts on behalf of the organization if that is so', () => {
  test.each([
    ['Practitioner/12', true],
    ['PractitionerRole/12', true],
    ['Device/lab', true],
    ['Patient/7', false],
    ['RelatedPerson/8', false],
    ['Organization/31', false],
    ['Person/x', false],
  ] as const)('%s: %j', (by, acts) => {
    expect('onBehalfOf' in (derive(by).agent[0] ?? {})).toBe(acts);
  });
});

describe('without an organization, there is no transmitter', () => {
  test.each([
    ['Practitioner/12', false],
    ['Device/lab', false],
    ['Patient/7', true],
    ['Person/x', true],
    [null, true],
  ] as const)('and a Provenance by %s conforms to its profile: %j', (by, conforms) => {
    const { agent, meta } = derive(by, null);
    expect([agent.map(({ type }) => codeOf(type)), meta?.profile]).toEqual([
      ['author'],
      conforms ? profile : undefined,
    ]);
  });
});

test.each(['Person/reader', 'Device/a b', 'cron', 'Device/', 'http://x/Device/1'])(
  'an author that is not a reference to an agent of FHIR is a text: %s',
  (by) => {
    expect(derive(by).agent[0]?.who).toEqual({ display: by });
  },
);

test.each([null, '', ' '])('an author who was not named is unknown: %j', (by) => {
  expect(derive(by).agent[0]?.who).toEqual({
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
  });
});
