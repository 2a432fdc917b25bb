// An example of what an existing backend knows of its people.

type Person = { readonly id: string; readonly lastName: string; readonly firstName: string };

export const patients: readonly Person[] = [{ id: '7', lastName: 'Shaw', firstName: 'Amy' }];
export const staff: readonly Person[] = [{ id: '12', lastName: 'Byron', firstName: 'Ada' }];

export const findPatient = (id: string): Person | undefined => patients.find((person) => person.id === id);
export const findStaff = (id: string): Person | undefined => staff.find((person) => person.id === id);
