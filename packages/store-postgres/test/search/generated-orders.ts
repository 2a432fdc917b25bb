import type {
  IndexEntry,
  PositiveCondition,
  RecordChange,
  SearchCondition,
} from '@clinical-records/core/store';
import { change } from '../store-helpers.ts';

export const day = 86_400_000;

/** Pseudorandom numbers from 0 to 1, the same in each run. */
const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const kinds = [
  { category: '108252007', system: 'http://loinc.org', codes: 80, until: 0.75 },
  { category: '363679005', system: 'http://snomed.info/sct', codes: 30, until: 0.93 },
  { category: '3457005', system: 'http://snomed.info/sct', codes: 15, until: 1 },
] as const;

const token = (parameter: string, code: string, system = ''): IndexEntry => ({
  kind: 'token',
  parameter,
  system,
  code,
});

/**
 * The orders of a clinic, oldest first. Nothing in them is independent: a few patients have most of the orders, a few codes are in
 * most of a category, nearly all that is old is completed, and what is active is of the last weeks.
 */
export function* generateOrders(count: number): Generator<RecordChange> {
  const random = createRandom(7);
  const patients = Math.ceil(count / 30);
  for (let n = 0; n < count; n++) {
    const drawn = random();
    const kind = kinds.find(({ until }) => drawn < until) ?? kinds[0];
    const age = 1 - n / count;
    const isActive = random() < (age < 0.05 ? 0.9 : 0.01);
    const authored = n * day * (5000 / count);
    const patient = Math.floor(patients * random() ** 3);
    yield change({
      type: 'ServiceRequest',
      id: `order-${n}`,
      patientId: `${patient}`,
      at: n + 1,
      resource: JSON.stringify({ resourceType: 'ServiceRequest', id: `order-${n}`, note: 'n'.repeat(1200) }),
      index: [
        token('status', isActive ? 'active' : random() < 0.02 ? 'entered-in-error' : 'completed'),
        token('intent', 'order'),
        token('category', kind.category, 'http://snomed.info/sct'),
        token('code', `${Math.floor(kind.codes * random() ** 4)}`, kind.system),
        token('priority', isActive && random() < 0.1 ? 'stat' : 'routine'),
        ...(kind.category === '3457005'
          ? []
          : [
              {
                kind: 'reference',
                parameter: 'requester',
                type: 'Practitioner',
                id: `${kind.category}-${patient % 9}`,
              } as const,
            ]),
        { kind: 'reference', parameter: 'encounter', type: 'Encounter', id: `${Math.floor(n / 6)}` },
        { kind: 'date', parameter: 'authored', from: authored, until: authored + 1 },
        ...(drawn < 0.3
          ? [{ kind: 'date', parameter: 'occurrence', from: authored, until: authored + 30 * day } as const]
          : []),
      ],
    });
  }
}

export const isToken = (
  parameter: string,
  code: string | null,
  system: string | null = null,
): PositiveCondition => ({
  on: 'token',
  parameter,
  anyOf: [{ system, code }],
});

export const since = (parameter: string, from: number): PositiveCondition => ({
  on: 'date',
  parameter,
  anyOf: [{ prefix: 'ge', from, until: from + day }],
});

export const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });
