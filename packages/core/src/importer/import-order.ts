/** The types to which others refer come first, so that little has to wait. */
const firstTypes = ['Organization', 'Practitioner', 'Patient', 'Encounter'];

/** Care teams come last: they refer to all of these, and what is decided last is dated last. */
const lastType = 'CareTeam';

const rankOf = ({ type }: { readonly type: string }): number => {
  const rank = firstTypes.indexOf(type);
  return rank === -1 ? firstTypes.length + (type === lastType ? 1 : 0) : rank;
};

/** Resources as their types have to come, those of a type as they came. */
export const sortByImportOrder = <Resource extends { readonly type: string }>(
  resources: readonly Resource[],
): readonly Resource[] => resources.toSorted((one, other) => rankOf(one) - rankOf(other));

export const isCareTeam = ({ type }: { readonly type: string }): boolean => type === lastType;
