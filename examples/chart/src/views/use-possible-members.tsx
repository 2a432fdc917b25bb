import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { loadPossibleMembers } from '../api/chart.ts';
import { spokenName } from '../model/names.ts';
import type { PossibleMember } from '../model/resources.ts';
import { useClient } from './contexts.ts';

/** The people and organizations by their references, such as `Practitioner/12`. */
type NamesByReference = ReadonlyMap<string, string>;

const Context = createContext<NamesByReference>(new Map());

const nameOf = ({ name }: PossibleMember): string => (typeof name === 'string' ? name : spokenName(name));

export const PossibleMembersProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const client = useClient();
  const [names, setNames] = useState<NamesByReference>(new Map());
  useEffect(() => {
    loadPossibleMembers(client).then(
      (members) => setNames(new Map(members.map((one) => [`${one.resourceType}/${one.id}`, nameOf(one)]))),
      // The chart is readable without their names.
      () => {},
    );
  }, [client]);
  return <Context.Provider value={names}>{children}</Context.Provider>;
};

export const usePossibleMembers = (): NamesByReference => useContext(Context);
