import type { ResultParameters } from '../search/result-parameters.ts';
import type { ResourceFacts } from './resource-facts.ts';

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
  { type, elements: { mandatory, summary } }: Pick<ResourceFacts, 'type' | 'elements'>,
  results: ResultParameters['results'],
): readonly string[] | null => {
  const [elements] = results.get('_elements') ?? [];
  if (elements !== undefined) {
    const known = [...mandatory, ...summary];
    return elements.split(',').flatMap((sent) => {
      const name = sent.replace(`${type}.`, '');
      return [name, `${name}[x]`].filter((one) => one === name || known.includes(one));
    });
  }
  switch (results.get('_summary')?.[0]) {
    case 'true':
      return summary;
    case 'text':
      // No resource here has a narrative, so the mandatory elements are left.
      return [];
    default:
      return null;
  }
};

/** Shortens the JSON text of a match to the elements that a search asks for; null if it asks for all. */
export const createSubset = (
  facts: Pick<ResourceFacts, 'type' | 'elements'>,
  { results }: Pick<ResultParameters, 'results'>,
): ((json: string) => string) | null => {
  if (results.size === 0) return null;
  const requested = requestedElements(facts, results);
  if (requested === null) return null;
  const names = [...facts.elements.mandatory, ...requested];
  return (json) => {
    const { resourceType, id, meta = {}, ...elements } = JSON.parse(json);
    const kept = Object.entries(elements).filter(([key]) => names.some((name) => isNamed(key, name)));
    return JSON.stringify({
      ...{ resourceType, id, meta: { ...meta, tag: [subsetted] } },
      ...Object.fromEntries(kept),
    });
  };
};
