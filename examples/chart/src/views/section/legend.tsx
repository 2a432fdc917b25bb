import type { ComponentChildren } from 'preact';

/** A sign on a line of time, and its meaning. */
export type Sign = { readonly name: string; readonly meaning: string; readonly children: ComponentChildren };

/** The meanings of the signs on a line of time. */
export const Legend = ({ signs }: { readonly signs: readonly Sign[] }) => (
  <details class="legend">
    <summary>Signs on the line of time</summary>
    <ul>
      {signs.map(({ name, meaning, children }) => (
        <li key={name}>
          <svg class="track" width="24" height="18" aria-hidden="true">
            {children}
          </svg>
          {meaning}
        </li>
      ))}
    </ul>
  </details>
);
