import { useEffect, useState } from 'preact/hooks';
import { conceptName } from '../../model/names.ts';
import { useClient } from '../contexts.ts';

/** The names of conditions by their references, such as `Condition/7`, once they are read. One that cannot be read has no name. */
export const useConditionNames = (references: readonly string[]): ReadonlyMap<string, string> => {
  const client = useClient();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const missing = [...new Set(references)].filter((reference) => !names.has(reference)).toSorted();
  useEffect(() => {
    if (missing.length === 0) return;
    const readName = async (reference: string): Promise<readonly [string, string]> => {
      const name = await client.read('Condition', reference.replace('Condition/', '')).then(
        ({ code }) => conceptName(code),
        () => '',
      );
      return [reference, name];
    };
    Promise.all(missing.map(readName)).then((read) => setNames((before) => new Map([...before, ...read])));
  }, [client, missing.join(' ')]);
  return names;
};
