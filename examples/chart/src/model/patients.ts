import type { Patient } from './resources.ts';

/** What tells patients of the same name apart: the number of the record or, where none is known, the id. */
export const recordOf = ({ identifier, id }: Patient): string => identifier?.[0]?.value ?? id;
