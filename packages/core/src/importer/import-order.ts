/** Types to which others refer come first, so that few resources have to wait. */
const firstTypes = ['Organization', 'Practitioner', 'Patient', 'Encounter'];

/** Care teams come last. They refer to all of these types, and the last decision has the latest date. */
const lastType = 'CareTeam';

const rankOf = ({ type }: { readonly type: string }): number => {
  const rank = firstTypes.indexOf(type);
  return rank === -1 ? firstTypes.length + (type === lastType ? 1 : 0) : rank;
};

/** Sorts resources by type, and keeps the order within a type. */
export const sortByImportOrder = <Resource extends { readonly type: string }>(
  resources: readonly Resource[],
): readonly Resource[] => resources.toSorted((one, other) => rankOf(one) - rankOf(other));

export const isCareTeam = ({ type }: { readonly type: string }): boolean => type === lastType;
