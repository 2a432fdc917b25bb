import type { Change } from '../../model/history/diff.ts';

/** The differences between two versions. The words for those who do not see the strokes are hidden. */
export const ChangeList = ({ changes }: { readonly changes: readonly Change[] }) => (
  <ul class="changes">
    {changes.map(({ label, before, after }) => (
      <li key={`${label} ${before} ${after}`}>
        <span class="change-label" dir="auto">
          {label}
        </span>{' '}
        {before !== null && (
          <del dir="auto">
            <span class="unseen">was </span>
            {before}
          </del>
        )}
        {before !== null && after !== null && <span aria-hidden="true"> → </span>}
        {after !== null && (
          <ins dir="auto">
            <span class="unseen">is now </span>
            {after}
          </ins>
        )}
      </li>
    ))}
  </ul>
);
