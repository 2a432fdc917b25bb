import * as E from 'fp-ts/lib/Either.js';
import { type Issue, type Outcome, ruleViolation } from '../errors.ts';
import type { PartialCoding } from '../fhir/coding.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { identifierTokens } from '../fhir/identifier.ts';
import { isObject } from '../fhir/schema.ts';
import { type BusinessIdentifier, businessIdentifiers, type SentResource } from '../fhir/source-resource.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { toSearchError } from '../records/find.ts';
import { changeChartIdentifiers } from '../records/idempotency.ts';
import { isEnteredInError } from '../records/page.ts';
import { load, recordExists } from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef } from '../store/port.ts';
import type { TokenCriterion } from '../store/query.ts';
import { findLostElements, importIssue } from './import-report.ts';
import type { UnpackedResource } from './unpacker.ts';

type Token = Pick<BusinessIdentifier, 'system' | 'code'>;

/** The records that may have a business identifier: those in the store, and those that a batch has added. */
export type IdentifiedRecords = {
  readonly add: (ref: RecordRef, identifiers: readonly Token[]) => void;
  readonly idsOf: (type: string, identifier: Token) => readonly string[];
  readonly refs: () => readonly RecordRef[];
};

const createIdentifiedRecords = (): IdentifiedRecords => {
  const byIdentifier = new Map<string, Set<string>>();
  const refs: RecordRef[] = [];
  const keyOf = (type: string, { system, code }: Token) => JSON.stringify([type, system, code]);
  return {
    add: (ref, identifiers) => {
      refs.push(ref);
      for (const identifier of identifiers) {
        const key = keyOf(ref.type, identifier);
        byIdentifier.set(key, (byIdentifier.get(key) ?? new Set()).add(ref.id));
      }
    },
    idsOf: (type, identifier) => [...(byIdentifier.get(keyOf(type, identifier)) ?? [])],
    refs: () => refs,
  };
};

/** Those of a batch without business identifiers. */
export const noIdentifiedRecords: IdentifiedRecords = { add: () => {}, idsOf: () => [], refs: () => [] };

/** How many identifiers are searched at a time, and the most records of a page. So a search is not one that waits for others. */
const maxPerSearch = 100;

/** Finds the stored records of a type that have one of the identifiers, in any chart. */
const searchIdentifiers = async (
  store: ClinicalStore,
  type: string,
  anyOf: readonly TokenCriterion[],
  found: IdentifiedRecords,
): Outcome<void> => {
  for (let after: string | null = null; ; ) {
    const page = await store.search({
      type,
      conditions: [{ on: 'token', parameter: 'identifier', anyOf }],
      start: after === null ? { offset: 0 } : { after },
      count: maxPerSearch,
      withTotal: false,
    });
    if (E.isLeft(page)) return E.left(toSearchError(page.left));
    for (const { id, resource } of page.right.matches) {
      found.add({ type, id }, businessIdentifiers(JSON.parse(resource)));
      after = id;
    }
    if (!page.right.hasMore) return E.right(undefined);
  }
};

/** Finds the stored records that have a business identifier of one of the resources. */
export const findIdentifiedRecords = async (
  store: ClinicalStore,
  resources: readonly UnpackedResource[],
): Outcome<IdentifiedRecords> => {
  const found = createIdentifiedRecords();
  const searches: Outcome<void>[] = [];
  for (const [type, ofType = []] of Object.entries(Object.groupBy(resources, ({ type }) => type))) {
    const tokens = ofType.flatMap(({ content }) => businessIdentifiers(content));
    for (let from = 0; from < tokens.length; from += maxPerSearch)
      searches.push(searchIdentifiers(store, type, tokens.slice(from, from + maxPerSearch), found));
  }
  return E.map(() => found)(E.sequenceArray(await Promise.all(searches)));
};

/** The vaccine, the service or the goal, in codes and in words. */
type EventConcept = {
  readonly coding?: readonly PartialCoding[] | undefined;
  readonly text?: string | undefined;
};

/** The facts about a resource that say which event it is: the concept, and when it was, if that matters. */
type EventFacts = { readonly concept: EventConcept; readonly date?: string };

const wordsOf = (text: string | undefined): string => text?.trim().replace(/\s+/g, ' ').toLowerCase() ?? '';

/** The texts by which a concept is compared: its codings with their systems, and what it is called. */
const namesOf = ({ coding = [], text }: EventConcept): readonly string[] => [
  ...coding.flatMap(({ system = '', code }) => (code === undefined ? [] : [JSON.stringify([system, code])])),
  ...[text, ...coding.map(({ display }) => display)].map(wordsOf).filter((words) => words !== ''),
];

/** Whether two concepts share a coding, or what they are called. */
const isSameConcept = (one: EventConcept, other: EventConcept): boolean => {
  const names = new Set(namesOf(one));
  return namesOf(other).some((name) => names.has(name));
};

/** Whether two dates are equal, if the more precise one is read as precisely as the other. */
const isSameDate = (one: string | undefined, other: string | undefined, zone: TimeZone): boolean => {
  const [a, b] = [parseInterval(one ?? '', zone), parseInterval(other ?? '', zone)];
  if (a === null || b === null) return one === other;
  return (a.from <= b.from && b.until <= a.until) || (b.from <= a.from && a.until <= b.until);
};

/** A resource that has no record yet: as it was sent, and the record that it would become. */
type NewResource<State> = {
  readonly sent: SentResource;
  readonly record: State;
  readonly isInError: boolean;
  readonly at: number;
};

/** The result of a look for the business identifiers of a new resource. */
type Recognition = {
  /**
   * Whether a record of the patient is the same event, or may be: a vaccination at another date may be a correction, or a second dose.
   * A resource of `another` event is imported.
   */
  readonly event: 'same' | 'unclear' | 'another';
  /** An issue for each record of the patient that decides this. */
  readonly issues: readonly Issue[];
  /** The changes to write with the record of the resource. */
  readonly changes: readonly RecordChange[];
};

export const unidentified = E.right<never, Recognition>({ event: 'another', issues: [], changes: [] });

/** How resources of a type are known again by their business identifiers. */
export type EventDefinition<Resource> = {
  /** The facts that say which event a resource is. */
  readonly of: (resource: Resource) => EventFacts;
  /** The element with the date, if one that differs only in that may be a correction of the other. */
  readonly correctableDate?: string;
};

const ruleOf = {
  same: 'known-identifier',
  unclear: 'identifier-at-another-date',
  another: 'shared-identifier',
} as const;

/** The most elements that an issue names. */
const maxNamed = 10;

/** Says what was sent and is not in the known resource. Of `meta`, only the labels are stored. */
export const describeMissing = (
  type: string,
  { id: _id, meta, ...sent }: SentResource,
  known: object,
): string => {
  const { security, tag } = isObject(meta) ? meta : {};
  const labels = security === undefined && tag === undefined ? {} : { meta: { security, tag } };
  const missing = [...new Set(findLostElements({ ...sent, ...labels }, known, type))];
  if (missing.length === 0) return '';
  const more = missing.length > maxNamed ? ' and more' : '';
  return ` It does not have what was sent in ${missing.slice(0, maxNamed).join(', ')}${more}.`;
};

/** A record that may have identifiers. */
type IdentifiedState = { readonly common?: CommonElements | undefined };

const hasIdentifier = ({ common }: IdentifiedState, identifier: Token): boolean =>
  identifierTokens(common?.identifier ?? []).some(
    ({ system, code }) => system === identifier.system && code === identifier.code,
  );

/** The elements that differ in each record, or say only where it is. */
const ownElements = ['id', 'extension', 'meta', 'resourceType'];

/** Whether two resources differ in nothing but one element, and in what is their own. */
const differOnlyIn = (element: string, type: string, one: object, other: object): boolean => {
  const own = new Set([...ownElements, element].map((name) => `${type}.${name}`));
  const differing = [...findLostElements(one, other, type), ...findLostElements(other, one, type)];
  return differing.every((path) => own.has(path.split('.').slice(0, 2).join('.')));
};

/** The records of a type, and what says which event each is. */
type RecognizedType<State, Resource> = {
  readonly facts: Pick<ResourceFacts, 'inError'>;
  readonly recordDefinition: RecordDefinition<State>;
  readonly patientIdOf: (record: State) => string;
  /** A resource in the form in which other systems send it. */
  readonly toSource: (resource: Resource) => object;
  readonly event: EventDefinition<Resource>;
  readonly zone: TimeZone;
};

/**
 * Looks for the records of a type that have a business identifier of a new resource. One that is entered in error does not count,
 * and one in the chart of another patient is an error.
 */
export const createRecognizer = <State extends IdentifiedState, Resource extends object>({
  facts,
  recordDefinition,
  patientIdOf,
  toSource,
  event,
  zone,
}: RecognizedType<State, Resource>) => {
  const { type } = recordDefinition;
  const derive = (state: State) => (recordDefinition.derive(state)?.resource ?? null) as Resource | null;

  const compare = (next: Resource, known: Resource): Recognition['event'] => {
    const [one, other] = [event.of(next), event.of(known)];
    if (!isSameConcept(one.concept, other.concept)) return 'another';
    if (isSameDate(one.date, other.date, zone)) return 'same';
    const { correctableDate } = event;
    return correctableDate !== undefined && differOnlyIn(correctableDate, type, next, known)
      ? 'unclear'
      : 'another';
  };

  return async (
    { sent, record, isInError, at }: NewResource<State>,
    store: ClinicalStore,
    identified: IdentifiedRecords,
  ): Outcome<Recognition> => {
    const identifiers = businessIdentifiers(sent);
    const next = derive(record);
    if (identifiers.length === 0 || next === null) return unidentified;
    const [id, patientId] = [recordDefinition.id(record), patientIdOf(record)];
    const found = new Map<string, { readonly event: Recognition['event']; readonly issue: Issue }>();
    for (const { index, ...identifier } of identifiers) {
      const element = `${type}.identifier[${index}]`;
      for (const knownId of identified.idsOf(type, identifier)) {
        const loaded = await load(store, recordDefinition, knownId);
        if (E.isLeft(loaded)) return loaded;
        if (!recordExists(loaded.right)) continue;
        const { state } = loaded.right;
        const known = derive(state);
        if (known === null || isEnteredInError(facts, known) || !hasIdentifier(state, identifier)) continue;
        if (patientIdOf(state) !== patientId) {
          if (isInError) continue;
          return E.left(ruleViolation(importIssue('identifier-of-another-patient', element)));
        }
        const which = isInError ? 'another' : compare(next, known);
        const issue = importIssue(isInError ? 'retracted-identifier' : ruleOf[which], element);
        const { common: { identifier: stored, ...labels } = {} } = state;
        const missing =
          which === 'same'
            ? describeMissing(type, sent, { ...toSource(known), meta: labels, identifier: stored })
            : '';
        found.set(knownId, {
          event: which,
          issue: { ...issue, message: `${issue.message} It is ${type}/${knownId}.${missing}` },
        });
      }
    }
    const which =
      (['same', 'unclear'] as const).find((one) =>
        [...found.values()].some((other) => other.event === one),
      ) ?? 'another';
    const issues = [...found.values()].filter((one) => one.event === which).map(({ issue }) => issue);
    if (isInError) return E.right({ event: 'another', issues, changes: [] });
    identified.add({ type, id }, identifiers);
    const change = await changeChartIdentifiers(store, { type, patientId }, { at, by: null });
    return E.isLeft(change) ? change : E.right({ event: which, issues, changes: [change.right] });
  };
};
