import type { ResourceType, ServedType } from './resource-type.ts';

/** The organization for which the clinic's authors act. It also provides the resources to clients. */
export type UsCoreOrganization = {
  /** The reference to it, such as `Organization/31`. */
  readonly reference: `Organization/${string}`;
  /** Its name. */
  readonly display?: string | undefined;
};

/** The values of a host that only US Core needs. */
export type UsCoreOptions = {
  /** The organization that the clinic is, or belongs to. */
  readonly organization: UsCoreOrganization;
};

/** The URL of the US Core profile of a type of resource. */
export const usCoreProfile = (type: ServedType): string =>
  `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${type.toLowerCase()}`;

/** The end of a text, the comma after it, and the beginning of the next name. */
const beforeName = '","';

/**
 * Whether an immunization has a code in CVX, no system that is not a URL, and no status reason, whose system does not exist.
 * A status reason is an object before the vaccine. Without one, the text of the status is there.
 */
const immunizationConforms = (json: string): boolean => {
  // A search that begins with a letter is faster than with a quotation mark.
  const from = json.indexOf('vaccineCode":{');
  if (json[from - beforeName.length] !== '"') return false;
  const vaccineCode = json.slice(from, json.indexOf('patient":{"reference":', from));
  return (
    vaccineCode.includes('system":"http://hl7.org/fhir/sid/cvx"') &&
    !vaccineCode.includes('system":"unstructured"')
  );
};

/**
 * Whether the JSON text of a derived resource conforms to its US Core profile. Each read asks this, of earlier versions,
 * too, so the text is not parsed. Quotation marks within a JSON string are escaped, so a name with them is that of an element.
 */
export const conformsToUsCore: Readonly<Record<ResourceType, (json: string) => boolean>> = {
  ServiceRequest: () => true,
  Goal: () => true,
  // A team has participants, and each has a role, which is before the member.
  CareTeam: (json) => json.includes('"participant":[') && !json.includes('{"member":'),
  Immunization: immunizationConforms,
};
