/** Why the chart could not be read. One that is shown already may be out of date. */
export const ChartError = ({
  error,
  isShown,
  onRetry,
}: {
  readonly error: string;
  readonly isShown: boolean;
  readonly onRetry: () => void;
}) => (
  <div class="notice" role="alert">
    <p>
      {isShown && <strong>This chart may be out of date. </strong>}
      {error}
    </p>
    <p class="form-actions">
      <button type="button" onClick={onRetry}>
        Read the chart again
      </button>
    </p>
  </div>
);
