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
      <h2 id={`${id}-heading`}>{title}</h2>
      {detail !== undefined && <p class="secondary">{detail}</p>}
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
);

/** Opens the history of something. The name of it is for those who do not see the row. */
export const HistoryButton = ({ of, onClick }: { readonly of: string; readonly onClick: () => void }) => (
  <button type="button" class="quiet" aria-label={`History of ${of}`} onClick={onClick}>
    History
  </button>
);
