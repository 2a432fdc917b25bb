import { useEffect, useState } from 'preact/hooks';
import { countByState, filterRecords, type RecordFilter } from '../../model/search/record-filter.ts';
import { useViewState } from './view-state.tsx';

/** A list of fewer records is seen at a glance, and has no filter. */
const fewest = 8;

/** What a filter of records needs to know of them. */
type Filtering<Item> = {
  readonly stateOf: (record: Item) => string;
  readonly textOf: (record: Item) => string;
};

const noFilter: RecordFilter = { state: '', text: '' };

/** The records that the filter of a section leaves, and the filter. On paper, nothing is filtered. */
export const useRecordFilter = <Item extends { readonly id: string }>(
  records: readonly Item[],
  filtering: Filtering<Item>,
) => {
  const [filter, setFilter] = useState(noFilter);
  const { printing, savedId } = useViewState();
  // A record that was just saved is not hidden by a search for others.
  useEffect(() => setFilter(noFilter), [savedId]);
  const applied = printing === null ? filter : noFilter;
  const matching = filterRecords(records, applied, filtering);
  const counts = countByState(records, filtering.stateOf);
  return { matching, filter, setFilter, counts, isNeeded: records.length > fewest };
};

/** Filters a section by state and text, and says how many records are left. */
export const FilterBar = ({
  id,
  noun,
  states,
  list: { matching, filter, setFilter, counts, isNeeded },
}: {
  readonly id: string;
  /** The records in the plural, such as `orders`. */
  readonly noun: string;
  readonly states: Readonly<Record<string, string>>;
  readonly list: ReturnType<typeof useRecordFilter<{ readonly id: string }>>;
}) =>
  !isNeeded ? null : (
    <search class="filter">
      <label class="unseen" for={`${id}-state`}>
        State of the {noun}
      </label>
      <select
        id={`${id}-state`}
        value={filter.state}
        onChange={(event) => setFilter({ ...filter, state: event.currentTarget.value })}
      >
        <option value="">All states</option>
        {Object.entries(states).map(([state, name]) => (
          <option key={state} value={state} disabled={counts[state] === undefined}>
            {name} ({counts[state] ?? 0})
          </option>
        ))}
      </select>
      <label class="unseen" for={`${id}-text`}>
        Search the {noun}
      </label>
      <input
        id={`${id}-text`}
        type="search"
        autocomplete="off"
        dir="auto"
        placeholder={`Search the ${noun}`}
        value={filter.text}
        onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
      />
      <p class="secondary" role="status">
        {filter !== noFilter &&
          (matching.length === 0 ? `No ${noun} match.` : `${matching.length} ${noun} match.`)}
      </p>
    </search>
  );

/** So many rows of a section are shown at first. */
const firstRows = 8;

/** The first rows of a list, and the others once they are asked for, or if one of them was just saved. */
export const useFirst = <Row,>(
  rows: readonly Row[],
  hasRecord: (row: Row, id: string) => boolean,
  most = firstRows,
) => {
  const [isAll, setAll] = useState(false);
  const { printing, savedId } = useViewState();
  const isBelow = savedId !== null && rows.slice(most).some((row) => hasRecord(row, savedId));
  useEffect(() => {
    if (isBelow) setAll(true);
  }, [isBelow]);
  const showsAll = printing === null ? isAll : printing === 'everything';
  // One more row takes no more room than the button that it saves.
  const shown = showsAll || rows.length <= most + 1 ? rows : rows.slice(0, most);
  return { shown, hidden: rows.slice(shown.length), total: rows.length, isAll, setAll, most };
};

/** Shows all rows of a list, or only the first ones again. */
export const ShowAll = ({
  noun,
  note = '',
  of: { shown, total, isAll, setAll, most },
}: {
  readonly noun: string;
  /** What must not be overlooked among the others, such as `6 of them overdue`. */
  readonly note?: string;
  readonly of: ReturnType<typeof useFirst>;
}) => {
  const { printing } = useViewState();
  const others = note === '' ? '' : `, ${note}`;
  if (total <= most + 1) return null;
  if (printing !== null)
    return shown.length === total ? null : (
      <p class="secondary">
        {shown.length} of {total} {noun} are printed here
        {others && `. Not printed${others.replace(',', ':')}`}.
      </p>
    );
  return (
    <button type="button" class="show-all" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
      {isAll ? `Show only the first ${most}` : `Show all ${total} ${noun}${others}`}
    </button>
  );
};

/** Says how many of the rows that are not shown must not be overlooked; empty if none. */
export const countHidden = <Row,>(
  { hidden }: { readonly hidden: readonly Row[] },
  isUrgent: (row: Row) => boolean,
  word: string,
): string => {
  const count = hidden.filter(isUrgent).length;
  return count === 0 ? '' : `${count} more ${word}`;
};
