import type { ComponentChildren } from 'preact';

/** A part of the chart: its heading, a line beside it, and what can be done. */
export const Section = ({
  id,
  title,
  detail,
  actions,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly detail?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class={`part ${id}`} aria-labelledby={`${id}-heading`}>
    <header class="part-header">
      <h2 id={`${id}-heading`} tabIndex={-1}>
        {title}
      </h2>
      {detail !== undefined && <p class="secondary">{detail}</p>}
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
);

/** Something to do with a part of the chart, or with a row. A label says which row, for those who do not see it. */
export const ActionButton = ({
  label,
  onClick,
  children,
}: {
  readonly label?: string;
  readonly onClick: () => void;
  readonly children: string;
}) => (
  <button type="button" class="quiet" aria-label={label} onClick={onClick}>
    {children}
  </button>
);

/** Opens the history of something. */
export const HistoryButton = ({ of, onClick }: { readonly of: string; readonly onClick: () => void }) => (
  <ActionButton label={`History of ${of}`} onClick={onClick}>
    History
  </ActionButton>
);
