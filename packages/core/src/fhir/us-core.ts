import type { ResourceType } from './resource-type.ts';

/** The URL of the US Core profile of a type of resource. */
export const usCoreProfile = (type: ResourceType): string =>
  `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${type.toLowerCase()}`;

/** The end of a text, the comma after it, and the beginning of the next name. */
const beforeName = '","';

/**
 * Whether an immunization has a code in CVX, and no system that is not a URL. A status reason, whose system does not exist,
 * is an object that ends before the vaccine; without one, the text of the status does.
 */
const immunizationConforms = (json: string): boolean => {
  // A search for a text that begins with a letter is the fastest: quotation marks are frequent.
  const from = json.indexOf('vaccineCode":{');
  if (json[from - beforeName.length] !== '"') return false;
  const vaccineCode = json.slice(from, json.indexOf('patient":{"reference":', from));
  return vaccineCode.includes('http://hl7.org/fhir/sid/cvx"') && !vaccineCode.includes('unstructured"');
};

/**
 * Whether the JSON text of a derived resource conforms to its US Core profile. Within a JSON string, quotation marks are
 * escaped. So a name that is found with its quotation marks is the name of an element, and the text is not parsed.
 */
export const conformsToUsCore: Readonly<Record<ResourceType, (json: string) => boolean>> = {
  ServiceRequest: () => true,
  Goal: () => true,
  // A team has participants, and each has a role, which is before the member.
  CareTeam: (json) => json.includes('"participant":[') && !json.includes('{"member":'),
  Immunization: immunizationConforms,
};
