import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { loadPossibleMembers } from '../api/chart.ts';
import { spokenName } from '../model/names.ts';
import type { PossibleMember } from '../model/resources.ts';
import { useClient } from './contexts.ts';

/** The people and organizations by their references, such as `Practitioner/12`. */
type NamesByReference = ReadonlyMap<string, string>;

const PossibleMembersContext = createContext<NamesByReference>(new Map());

const memberName = ({ name }: PossibleMember): string => (typeof name === 'string' ? name : spokenName(name));

export const PossibleMembersProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const client = useClient();
  const [names, setNames] = useState<NamesByReference>(new Map());
  useEffect(() => {
    loadPossibleMembers(client).then(
      (members) =>
        setNames(new Map(members.map((one) => [`${one.resourceType}/${one.id}`, memberName(one)]))),
      // The chart is readable without their names.
      () => {},
    );
  }, [client]);
  return <PossibleMembersContext.Provider value={names}>{children}</PossibleMembersContext.Provider>;
};

export const usePossibleMembers = (): NamesByReference => useContext(PossibleMembersContext);
