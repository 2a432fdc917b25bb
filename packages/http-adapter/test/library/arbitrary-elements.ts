import * as fc from 'fast-check';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((one) => /^[\p{L}\p{N}]/u.test(one));
const code = fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/);
const date = fc.constantFrom('2025', '2025-03', '2025-03-04');
const dateTime = fc.oneof(date, fc.constantFrom('2025-03-04T05:06:07Z', '2025-03-04T05:06:07.5-05:00'));
const number = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(0.5, 12.25));
const count = fc.integer({ min: 1, max: 500 });

/** Some of the elements, at least one of them. */
const some = <Shape extends object>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.record(shape, { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0);

const listOf = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 3 });

const elementsOfCoding = { version: text, display: text, userSelected: fc.boolean() };
const coding = some({ system: fc.constantFrom('urn:x:a', 'urn:x:b'), code, ...elementsOfCoding });
const concept = some({ coding: listOf(coding), text });
const reference = (...types: readonly string[]) =>
  some({ reference: fc.constantFrom(...types).map((type) => `${type}/x-1`), display: text });
const amount = { value: number, unit: text, system: fc.constant('http://unitsofmeasure.org'), code };
const quantity = some({ ...amount, comparator: fc.constantFrom('<', '>=') });
const period = some({ start: date, end: fc.constant('2026') });
const note = fc
  .tuple(
    some({ text, time: dateTime }),
    fc.option(fc.oneof(text, reference('Practitioner', 'Patient'))),
    text,
  )
  .map(([sent, author, always]) => ({
    ...sent,
    text: always,
    ...(author !== null && { [typeof author === 'string' ? 'authorString' : 'authorReference']: author }),
  }));

/** A concept with at least one coding in one of the systems, and any others around it. */
const conceptIn = (...systems: readonly string[]) =>
  fc
    .tuple(
      fc.array(coding, { maxLength: 2 }),
      fc.tuple(fc.constantFrom(...systems), code, fc.record(elementsOfCoding, { requiredKeys: [] })),
      fc.option(text, { nil: undefined }),
    )
    .chain(([others, [system, known, rest], words]) =>
      fc
        .shuffledSubarray([...others, { system, code: known, ...rest }], { minLength: others.length + 1 })
        .map((all) => ({ coding: all, ...(words !== undefined && { text: words }) })),
    );

const doseElements = {
  ...{ recorded: dateTime, reportOrigin: concept, lotNumber: text, expirationDate: date, site: concept },
  ...{ location: reference('Location'), manufacturer: reference('Organization'), route: concept },
  doseQuantity: some(amount),
  performer: listOf(
    fc.record(
      { function: concept, actor: reference('Practitioner', 'Organization') },
      { requiredKeys: ['actor'] },
    ),
  ),
  reasonCode: listOf(concept),
  reasonReference: listOf(reference('Condition')),
  reaction: listOf(some({ date: dateTime, detail: reference('Observation'), reported: fc.boolean() })),
  protocolApplied: listOf(
    some({
      ...{ series: text, authority: reference('Organization'), targetDisease: listOf(concept) },
      ...{ doseNumberPositiveInt: count, seriesDosesString: text },
    }),
  ),
  note: listOf(note),
};

const timing = some({
  event: listOf(dateTime),
  repeat: some({
    ...{ boundsPeriod: period, count, duration: number, durationUnit: fc.constantFrom('min', 'h') },
    ...{ frequency: count, period: number, periodUnit: fc.constantFrom('d', 'wk') },
    ...{ dayOfWeek: listOf(fc.constantFrom('mon', 'sun')), timeOfDay: listOf(fc.constant('08:30:00')) },
    ...{ when: listOf(fc.constantFrom('ACM', 'MORN.late')), offset: count },
  }),
  code: concept,
});

const orderElements = {
  ...{ priority: fc.constantFrom('routine', 'urgent', 'asap', 'stat'), encounter: reference('Encounter') },
  ...{ orderDetail: listOf(concept), quantityRatio: some({ numerator: quantity, denominator: quantity }) },
  ...{ asNeededBoolean: fc.boolean(), performerType: concept, performer: listOf(reference('Organization')) },
  ...{ locationCode: listOf(concept), locationReference: listOf(reference('Location')) },
  ...{
    reasonCode: listOf(concept),
    specimen: listOf(reference('Specimen')),
    supportingInfo: listOf(reference('Device', 'Flag')),
    bodySite: listOf(concept),
  },
  ...{ note: listOf(note), patientInstruction: text },
};

const occurrence = fc.oneof(
  fc.constant({}),
  period.map((occurrencePeriod) => ({ occurrencePeriod })),
  dateTime.map((occurrenceDateTime) => ({ occurrenceDateTime })),
  timing.map((occurrenceTiming) => ({ occurrenceTiming })),
);

/** Elements of all resources that are not stored. */
const unstored = fc.record(
  {
    meta: fc.constant({ versionId: '7' }),
    language: fc.constant('en'),
  },
  { requiredKeys: [] },
);

/** Immunizations of a patient with any of the elements that FHIR has for a dose. */
export const immunizations = (patientId: string) =>
  fc
    .record({
      vaccineCode: conceptIn('http://hl7.org/fhir/sid/cvx', 'http://www.ama-assn.org/go/cpt'),
      occurrenceDateTime: dateTime,
      primarySource: fc.boolean(),
      elements: fc.record(doseElements, { requiredKeys: [] }),
      unstored,
    })
    .map(({ elements, unstored: others, ...required }) => ({
      resourceType: 'Immunization',
      status: 'completed',
      patient: { reference: `Patient/${patientId}` },
      ...required,
      ...elements,
      ...others,
    }));

/** Orders of a patient with any of the elements that FHIR has for them. */
export const orders = (patientId: string) =>
  fc
    .record({
      code: conceptIn('http://loinc.org'),
      authoredOn: dateTime,
      occurrence,
      elements: fc.record(orderElements, { requiredKeys: [] }),
      unstored,
    })
    .map(({ occurrence: time, elements, unstored: others, ...required }) => ({
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
      subject: { reference: `Patient/${patientId}` },
      ...required,
      ...time,
      ...elements,
      ...others,
    }));
