/** The elements of a dose at which no rule looks, each with every part that it can have. */
export const doseElements = {
  recorded: '2025-10-02',
  reportOrigin: { coding: [{ code: 'record' }] },
  location: { reference: 'Location/ward', type: 'Location', display: 'Ward 3' },
  manufacturer: { display: 'Vaccines Ltd' },
  lotNumber: 'L-1',
  expirationDate: '2026-06',
  site: {
    coding: [{ system: 'urn:x:sites', version: '1', code: 'LA', display: 'left arm', userSelected: true }],
  },
  route: { text: 'into the muscle' },
  doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
  performer: [
    { function: { text: 'gave it' }, actor: { reference: 'Practitioner/ada', type: 'Practitioner' } },
  ],
  reasonCode: [{ coding: [{ code: '429060002' }], text: 'Travel' }],
  reasonReference: [{ reference: 'Condition/c', type: 'Condition' }],
  education: [
    {
      documentType: 'VIS-flu',
      reference: 'https://clinic.example/flu.pdf',
      publicationDate: '2025-08',
      presentationDate: '2025-10-02',
    },
  ],
  programEligibility: [{ coding: [{ code: 'uninsured' }] }],
  fundingSource: { text: 'public' },
  reaction: [{ date: '2025-10-02', detail: { display: 'Fever' }, reported: true }],
  protocolApplied: [
    {
      series: 'Basic',
      authority: { reference: 'Organization/lab', type: 'Organization' },
      targetDisease: [{ text: 'Influenza' }],
      doseNumberPositiveInt: 1,
      seriesDosesString: '2 or 3',
    },
  ],
} as const;

/** The elements of a goal at which no rule looks, with one for each choice of types, as a goal shows them. */
export const goalElements = {
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/goal-category', code: 'dietary' }] },
  ],
  addresses: [{ reference: 'Condition/c', type: 'Condition' }, { display: 'Knee pain' }],
  outcomeCode: [{ text: 'Walks 2 km' }],
  outcomeReference: [{ reference: 'Observation/o', type: 'Observation', display: 'Weight in May' }],
  statusDate: '2026-02-01',
  statusReason: 'She asked for it',
} as const;

/** A measure, and the value to reach. */
export const goalMeasure = {
  measure: { coding: [{ system: 'http://loinc.org', code: '29463-7' }], text: 'Body weight' },
  detailRange: { low: { value: 70, unit: 'kg' }, high: { value: 75, unit: 'kg' } },
} as const;

/** The elements of an order at which no rule looks, one for each choice of types. */
export const orderElements = {
  instantiatesCanonical: ['https://clinic.example/ActivityDefinition/anemia|2'],
  instantiatesUri: ['https://clinic.example/protocols/anemia'],
  basedOn: [{ reference: 'CarePlan/p', type: 'CarePlan' }],
  replaces: [{ reference: 'ServiceRequest/older', type: 'ServiceRequest' }],
  requisition: {
    use: 'official',
    type: { text: 'Placer group' },
    system: 'urn:x:requisitions',
    value: 'R-1',
    period: { start: '2026' },
    assigner: { reference: 'Organization/lab', type: 'Organization' },
  },
  insurance: [{ reference: 'Coverage/c', type: 'Coverage', display: 'Health fund' }],
  relevantHistory: [{ display: 'Changed by phone' }],
  priority: 'urgent',
  orderDetail: [{ text: 'Fasting' }],
  quantityQuantity: { value: 2, comparator: '>=', unit: 'tubes' },
  encounter: { reference: 'Encounter/visit-amy', type: 'Encounter', display: 'A visit' },
  occurrenceTiming: {
    event: ['2026-03-02'],
    repeat: {
      boundsPeriod: { start: '2026-03-02', end: '2026-04-02' },
      frequency: 1,
      period: 2,
      periodUnit: 'wk',
      dayOfWeek: ['mon'],
      timeOfDay: ['08:30:00'],
    },
    code: { coding: [{ code: 'QW' }], text: 'weekly' },
  },
  asNeededBoolean: true,
  performerType: { text: 'Laboratory' },
  performer: [{ reference: 'Organization/lab', type: 'Organization' }, { display: 'Any laboratory' }],
  locationCode: [{ text: 'At home' }],
  locationReference: [{ reference: 'Location/ward', type: 'Location' }],
  reasonCode: [
    { coding: [{ system: 'http://snomed.info/sct', version: '2026', code: '271737000' }], text: 'Anemia' },
  ],
  supportingInfo: [
    { reference: 'AllergyIntolerance/a', type: 'AllergyIntolerance' },
    { display: 'Pregnant' },
  ],
  specimen: [{ reference: 'Specimen/s', type: 'Specimen' }],
  bodySite: [{ text: 'left arm' }],
  note: [
    {
      authorReference: { reference: 'Practitioner/ada', type: 'Practitioner' },
      time: '2026-03-01T09:00:00Z',
      text: 'Soon',
    },
    { authorString: 'Her mother', text: 'Afraid of needles' },
  ],
  patientInstruction: 'Eat nothing before.',
} as const;
