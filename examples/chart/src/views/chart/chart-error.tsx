import { formatMoment } from '../../model/dates/dates.ts';

const Retry = ({ onRetry }: { readonly onRetry: () => void }) => (
  <button type="button" onClick={onRetry}>
    Read the chart again
  </button>
);

/** Why the chart could not be read. */
export const ChartError = ({ error, onRetry }: { readonly error: string; readonly onRetry: () => void }) => (
  <div class="notice" role="alert">
    <p>{error}</p>
    <p class="form-actions">
      <Retry onRetry={onRetry} />
    </p>
  </div>
);

/** Says until when the chart that is shown is known to be up to date. It stays in sight. */
export const StaleNotice = ({
  since,
  error,
  onRetry,
}: {
  readonly since: number;
  readonly error: string;
  readonly onRetry: () => void;
}) => (
  <div class="stale notice" role="alert">
    <p>
      <strong>Not up to date since {formatMoment(since, Date.now())}.</strong>{' '}
      {error || 'The server does not respond.'} The page tries again by itself.
    </p>
    <Retry onRetry={onRetry} />
  </div>
);
