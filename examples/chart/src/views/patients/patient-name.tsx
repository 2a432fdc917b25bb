import { type HumanName, listedName } from '../../model/names.ts';

/** A name with the family first, and stronger than the given names. */
export const PatientName = ({ name }: { readonly name: readonly HumanName[] | undefined }) => {
  const listed = listedName(name);
  const family = name?.[0]?.text === undefined ? (name?.[0]?.family ?? '') : '';
  return (
    <bdi dir="auto" class="patient-name">
      {listed.startsWith(family) && family !== '' ? (
        <>
          <span class="family">{family}</span>
          {listed.slice(family.length)}
        </>
      ) : (
        listed
      )}
    </bdi>
  );
};
