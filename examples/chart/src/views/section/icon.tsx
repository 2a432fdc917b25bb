/** Signs on a square of sixteen, drawn as lines. The word beside a sign says the same. */
const paths = {
  achieved: 'M3 8.5l3.5 3.5L13 4.5',
  sustaining: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5 8.2l2.2 2.2L11 6',
  improving: 'M2.5 12l4-4 2.5 2.5L13.5 5M9.5 5h4v4',
  worsening: 'M2.5 4l4 4L9 5.5l4.5 5.5M9.5 11h4V7',
  'no-change': 'M2.5 8h11M10 4.5L13.5 8 10 11.5',
  'no-progress': 'M5.5 3.5v9M10.5 3.5v9',
  'in-progress': 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 2v12M8 5h4.5M8 8h6M8 11h4.5',
  'not-achieved': 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5.5 5.5l5 5M10.5 5.5l-5 5',
  'not-attainable': 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M4 12l8-8',
  'high-priority': 'M4 8l4-4 4 4M4 12.5l4-4 4 4',
  'medium-priority': 'M3 6h10M3 10h10',
  'low-priority': 'M4 6l4 4 4-4',
  overdue: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.5V8l2.5 2',
  urgent: 'M8 2L14.5 13.5h-13zM8 6.5v3M8 11.2v.6',
  lead: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4 4.3 13.5l.8-4.2L2 6.4l4.2-.5z',
  'not-done': 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M4 12l8-8',
  'entered-in-error': 'M4 4l8 8M12 4l-8 8',
  active: 'M5 3.5l7 4.5-7 4.5z',
  completed: 'M3 8.5l3.5 3.5L13 4.5',
  draft: 'M3 13l.8-3L11 2.8 13.2 5 6 12.2z',
  fold: 'M4 6l4 4 4-4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
