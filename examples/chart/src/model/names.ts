/** FHIR's HumanName, as far as it is shown. */
export type HumanName = {
  readonly text?: string;
  readonly family?: string;
  readonly given?: readonly string[];
};

/** FHIR's CodeableConcept, as far as it is shown. */
export type Concept = {
  readonly coding?:
    | readonly { readonly display?: string | undefined; readonly code?: string | undefined }[]
    | undefined;
  readonly text?: string | undefined;
};

/** The words of a concept, or its code if it has no words; empty without a concept. */
export const conceptName = ({ coding: [coding] = [], text }: Concept = {}): string =>
  coding?.display ?? text ?? coding?.code ?? '';

/** A name with the family first, such as `Alvarez, Rosa`. */
export const listedName = ([name]: readonly HumanName[] = []): string => {
  if (name === undefined) return 'Without a name';
  const given = name.given?.join(' ') ?? '';
  const parts = [name.family ?? '', given].filter((part) => part !== '');
  return name.text ?? parts.join(', ');
};

/** A name as it is spoken, such as `Rosa Alvarez`. */
export const spokenName = ([name]: readonly HumanName[] = []): string => {
  if (name === undefined) return 'Without a name';
  return name.text ?? [...(name.given ?? []), name.family ?? ''].filter((part) => part !== '').join(' ');
};
