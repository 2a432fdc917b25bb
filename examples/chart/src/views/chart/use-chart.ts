import { RequestError } from '@clinical-records/client';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Chart, loadChart } from '../../api/chart.ts';
import { errorWords } from '../../model/error-words.ts';
import { ContactContext, useClient } from '../contexts.ts';

/** The chart of a patient as it is now, once it is there, and what failed. */
export type ChartState = {
  readonly chart: Chart | null;
  readonly error: string;
  /** Until when the chart that is shown is known to be up to date, in milliseconds; null if it is now. */
  readonly staleSince: number | null;
  /** Reads the chart again. The chart that is shown stays until then. */
  readonly reload: () => Promise<void>;
};

/** How long the first read waits for the stream, after which nothing is missed, in milliseconds. */
const longestWaitForStream = 500;

/** How often the page looks whether the chart is up to date, and tries to read it if not, in milliseconds. */
const lookEvery = 5000;

/** A page that has not looked for so long, in milliseconds, was asleep, and so was its stream. */
const longestSleep = 30_000;

/** Follows the changes of a chart while somebody sees it, and calls `read` with each. */
const useStream = (patientId: string, read: () => void): void => {
  const client = useClient();
  useEffect(() => {
    let end = new AbortController();
    // A browser has only six connections to a server, and a stream takes one. Tabs that nobody sees would use them up.
    const follow = () => {
      end.abort();
      if (document.hidden) return;
      end = new AbortController();
      let isRead = false;
      const readOnce = () => {
        isRead = true;
        read();
      };
      client.watch(patientId, readOnce, { signal: end.signal }).catch(readOnce);
      // Without a stream, what is read may be old soon. But it is shown.
      setTimeout(() => isRead || end.signal.aborted || readOnce(), longestWaitForStream);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      end.abort();
    };
  }, [client, patientId, read]);
};

/** Until when the chart was up to date, if it is not now. While it is not, `read` is called again and again. */
const useFreshness = (read: { readonly current: () => void }) => {
  const isReached = useContext(ContactContext);
  const freshAt = useRef(Date.now());
  const [staleSince, setStaleSince] = useState<number | null>(null);
  const lose = useCallback(() => setStaleSince((before) => before ?? freshAt.current), []);
  const renew = useCallback(() => {
    freshAt.current = Date.now();
    setStaleSince(null);
  }, []);
  useEffect(() => {
    if (!isReached) lose();
  }, [isReached]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      const isAwake = Date.now() - freshAt.current < longestSleep;
      if (staleSince === null && isAwake) {
        freshAt.current = Date.now();
        return;
      }
      lose();
      read.current();
    }, lookEvery);
    return () => clearInterval(timer);
  }, [staleSince]);
  return { staleSince, lose, renew };
};

export const useChart = (patientId: string): ChartState => {
  const client = useClient();
  const [chart, setChart] = useState<Chart | null>(null);
  const [error, setError] = useState('');
  const newest = useRef(0);
  const read = useRef(() => {});
  const { staleSince, lose, renew } = useFreshness(read);
  const reload = useCallback(async () => {
    newest.current += 1;
    const turn = newest.current;
    try {
      const loaded = await loadChart(client, patientId);
      // A slower answer to an earlier question would bring the past back.
      if (turn !== newest.current) return;
      setChart(loaded);
      setError('');
      renew();
    } catch (cause) {
      if (turn !== newest.current) return;
      // This user may not see the chart that was read before.
      if (cause instanceof RequestError && [403, 404].includes(cause.status)) setChart(null);
      setError(errorWords(cause));
      lose();
    }
  }, [client, patientId]);
  read.current = reload;
  useStream(patientId, reload);
  return { chart, error, staleSince, reload };
};
