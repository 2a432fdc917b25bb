import type { ResourceType } from '../fhir/resource-type.ts';
import type { ResultParameters } from '../search/result-parameters.ts';

/** The elements that FHIR or US Core demands. `[x]` at the end stands for the type of a choice. */
const mandatoryElements: Readonly<Record<ResourceType, readonly string[]>> = {
  ServiceRequest: ['status', 'intent', 'code', 'subject'],
  Goal: ['lifecycleStatus', 'description', 'subject'],
  CareTeam: ['subject', 'participant'],
  Immunization: ['status', 'vaccineCode', 'patient', 'occurrence[x]', 'primarySource'],
};

/** The other elements that FHIR marks as a part of the summary, as far as resources here have them. */
const summaryElements: Readonly<Record<ResourceType, readonly string[]>> = {
  ServiceRequest: [
    ...['category', 'priority', 'orderDetail', 'quantity[x]', 'encounter', 'occurrence[x]', 'asNeeded[x]'],
    ...['authoredOn', 'requester', 'performerType', 'performer', 'locationCode', 'locationReference'],
    ...['reasonCode', 'reasonReference', 'specimen', 'bodySite', 'patientInstruction'],
  ],
  Goal: ['achievementStatus', 'priority', 'start[x]', 'expressedBy'],
  CareTeam: ['status', 'name'],
  Immunization: ['performer', 'note'],
};

/** The elements that have one of several types. */
const choices: readonly string[] = [mandatoryElements, summaryElements]
  .flatMap((table) => Object.values(table).flat())
  .filter((name) => name.endsWith('[x]'));

const isNamed = (key: string, name: string): boolean =>
  name.endsWith('[x]')
    ? key.startsWith(name.slice(0, -3)) && /^[A-Z]/.test(key.slice(name.length - 3))
    : key === name;

/** The tag of a resource that lacks elements. Source: FHIR R4, Search, 3.1.1.5.7. */
const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

/** The names of the elements that a search asks for; null if it asks for all. */
const requestedElements = (
  type: ResourceType,
  results: ResultParameters['results'],
): readonly string[] | null => {
  const [elements] = results.get('_elements') ?? [];
  if (elements !== undefined) {
    return elements.split(',').flatMap((sent) => {
      const name = sent.replace(`${type}.`, '');
      return [name, `${name}[x]`].filter((one) => one === name || choices.includes(one));
    });
  }
  switch (results.get('_summary')?.[0]) {
    case 'true':
      return summaryElements[type];
    case 'text':
      // No resource here has a narrative, so the mandatory elements are left.
      return [];
    default:
      return null;
  }
};

/** Shortens the JSON text of a match to the elements that a search asks for; null if it asks for all. */
export const createSubset = (
  type: ResourceType,
  { results }: Pick<ResultParameters, 'results'>,
): ((json: string) => string) | null => {
  if (results.size === 0) return null;
  const requested = requestedElements(type, results);
  if (requested === null) return null;
  const names = [...mandatoryElements[type], ...requested];
  return (json) => {
    const { resourceType, id, meta = {}, ...elements } = JSON.parse(json);
    const kept = Object.entries(elements).filter(([key]) => names.some((name) => isNamed(key, name)));
    return JSON.stringify({
      ...{ resourceType, id, meta: { ...meta, tag: [subsetted] } },
      ...Object.fromEntries(kept),
    });
  };
};
