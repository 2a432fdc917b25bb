import { useEffect, useState } from 'preact/hooks';
import { formatDate } from '../../model/dates/dates.ts';
import { useUser } from '../contexts.ts';
import { renderAtOnce } from '../render-at-once.ts';

const now = (): string => new Date().toISOString();

/** The line below each printed page: when it was printed, and by whom. */
export const PrintedLine = () => {
  const { name } = useUser();
  const [at, setAt] = useState(now);
  useEffect(() => {
    const begin = () => renderAtOnce(() => setAt(now()));
    addEventListener('beforeprint', begin);
    return () => removeEventListener('beforeprint', begin);
  }, []);
  return (
    <p class="printed-line">
      Printed on {formatDate(at)} by <bdi dir="auto">{name}</bdi> · Clinical records
    </p>
  );
};
