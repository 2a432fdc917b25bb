import { formatDay } from '../../model/dates/dates.ts';
import { conceptName } from '../../model/names.ts';
import { periodOf, urgencyOf } from '../../model/orders.ts';
import type { ServiceRequest } from '../../model/resources.ts';
import { statusLabels } from '../../model/status-labels.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { InErrorMark, Mark, type Tone } from '../section/mark.tsx';
import { Menu } from '../section/menu.tsx';
import { SavedMark } from '../section/saved-mark.tsx';

const tones = { active: 'accent', draft: 'plain', completed: 'good' } as const;

/** An order that is to be done at once stands out, as long as it is not done. */
const urgencyTone = ({ status, priority }: ServiceRequest): Tone => {
  if (status !== 'active') return 'plain';
  return priority === 'stat' ? 'alert' : 'wait';
};

/** An order: its state, how urgent it is, who requested it, when and why, and when it is to be done. */
export const OrderRow = ({
  order,
  overdue,
  requester,
  reasons,
  onHistory,
  onComplete,
  onReopen,
  canUndo,
  onRetract,
}: {
  readonly order: ServiceRequest;
  /** How long it is past its period; empty if it is not. */
  readonly overdue: string;
  /** The name of the requester; empty if nobody is known. */
  readonly requester: string;
  readonly reasons: readonly string[];
  readonly onHistory: (of: HistoryOf) => void;
  readonly onComplete: (order: ServiceRequest) => void;
  readonly onReopen: (order: ServiceRequest) => void;
  /** Whether it was completed on this page, so that an Undo stands beside it. */
  readonly canUndo: boolean;
  readonly onRetract: (order: ServiceRequest) => void;
}) => {
  const { id, status, code, authoredOn } = order;
  const title = conceptName(code);
  const period = periodOf(order);
  return (
    <li class={`order ${status === 'entered-in-error' ? 'in-error' : ''}`}>
      <h4 class="order-name" dir="auto">
        {title}
      </h4>
      <div class="row-actions">
        {status === 'completed' && canUndo && (
          <button
            type="button"
            aria-label={`Undo: ${title} is not completed`}
            onClick={() => onReopen(order)}
          >
            Undo
          </button>
        )}
        <Menu
          label={`Actions: ${title}, requested on ${formatDay(authoredOn)}`}
          items={[
            ...(status === 'active' ? [{ text: 'Complete', onChoose: () => onComplete(order) }] : []),
            ...(status === 'completed' ? [{ text: 'Reopen', onChoose: () => onReopen(order) }] : []),
            { text: 'History', onChoose: () => onHistory({ type: 'ServiceRequest', id, title }) },
            ...(status === 'active' || status === 'completed'
              ? [{ text: 'Mark as entered in error …', onChoose: () => onRetract(order) }]
              : []),
          ]}
        />
      </div>
      <p class="facts">
        {urgencyOf(order) !== '' && (
          <Mark icon="urgent" tone={urgencyTone(order)}>
            {urgencyOf(order)}
          </Mark>
        )}
        {status === 'entered-in-error' ? (
          <InErrorMark />
        ) : (
          <Mark icon={status} tone={tones[status]}>
            {statusLabels[status]}
          </Mark>
        )}
        {overdue !== '' && (
          <Mark icon="overdue" tone="wait">
            {overdue}
          </Mark>
        )}
        {period !== '' && <span class="whole">{period}</span>}
        <span class="secondary">
          Requested {requester !== '' && 'by '}
          <bdi dir="auto">{requester}</bdi> on {formatDay(authoredOn)}
        </span>
        <SavedMark id={id} />
        {reasons.length > 0 && (
          <span class="secondary" dir="auto">
            for {reasons.join(', ')}
          </span>
        )}
      </p>
    </li>
  );
};
