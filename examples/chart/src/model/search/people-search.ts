import { parseTypedDate } from '../dates/typed-date.ts';

/** The parameters of a search of patients. */
export type PeopleSearch = Readonly<Record<string, string>>;

/** The searches whose matches a text may mean: a birth date, a number, or else a name. An empty text finds everybody. */
export const searchesFor = (text: string, language: string): readonly PeopleSearch[] => {
  const trimmed = text.trim();
  if (trimmed === '') return [{}];
  if (!/\d/.test(trimmed)) return [{ name: trimmed }];
  const birthdate = parseTypedDate(trimmed, language);
  return [
    { identifier: trimmed.replace(/[\\,|$]/g, '\\$&') },
    ...(birthdate === null ? [] : [{ birthdate }]),
  ];
};
