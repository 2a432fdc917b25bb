import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import { Menu, type MenuItem } from './menu.tsx';
import { useViewState } from './view-state.tsx';

/** A part of the chart: its heading, which stays in sight and folds it, a line beside it, and what can be done. */
export const Section = ({
  id,
  title,
  detail,
  action,
  menu = [],
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly detail?: ComponentChildren;
  /** The main action, which is a button. */
  readonly action?: { readonly text: string; readonly onClick: () => void } | undefined;
  /** Other actions. */
  readonly menu?: readonly MenuItem[];
  readonly children: ComponentChildren;
}) => {
  const { folded, fold, printing } = useViewState();
  const isFolded = folded.has(id) && printing === null;
  return (
    <section class={`part ${id}`} aria-labelledby={`${id}-heading`}>
      <header class="part-header">
        <h2 id={`${id}-heading`} tabIndex={-1}>
          <button
            type="button"
            class="fold"
            aria-expanded={!isFolded}
            aria-controls={`${id}-content`}
            onClick={() => fold(id, !isFolded)}
          >
            <Icon name="fold" />
            {title}
          </button>
        </h2>
        {detail !== undefined && <p class="part-detail secondary">{detail}</p>}
        <div class="actions">
          {action !== undefined && (
            <button type="button" class="main-action" onClick={action.onClick}>
              {action.text}
            </button>
          )}
          {menu.length > 0 && <Menu label={`Actions: ${title}`} items={menu} />}
        </div>
      </header>
      <div id={`${id}-content`} class="part-content" hidden={isFolded}>
        {children}
      </div>
    </section>
  );
};
