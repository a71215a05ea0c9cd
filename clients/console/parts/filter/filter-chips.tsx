import type { ReactNode } from 'react';
import type { Tag } from '../../service/types.ts';
import { Button } from '../button.tsx';
import { Chip } from '../kit/chip.tsx';

/** A filter in use, and what changes if it is taken away. */
export type FilterChip<View> = { readonly text: string; readonly color?: string; readonly without: Partial<View> };

/** The tags among the filters. @param known all tags; undefined as long as they are not loaded */
export const tagChips = (
  ids: readonly string[],
  known: readonly Tag[] | undefined,
): readonly FilterChip<{ readonly tags: readonly string[] }>[] =>
  ids.map((id) => {
    const tag = known?.find((one) => one.id === id);
    return {
      text: tag?.name ?? (known ? 'Unknown tag' : '…'),
      ...(tag && { color: tag.color }),
      without: { tags: ids.filter((one) => one !== id) },
    };
  });

type FilterChipsProps<View> = {
  readonly chips: readonly FilterChip<View>[];
  readonly onChange: (without: Partial<View>) => void;
  readonly onClear: () => void;
  /** What else is to be said of them. */
  readonly children?: ReactNode;
};

/** The filters in use. Each can be taken away, and all at once. */
export const FilterChips = <View,>({ chips, onChange, onClear, children }: FilterChipsProps<View>) =>
  chips.length === 0 ? null : (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ text, color, without }) => (
        <li key={`${text} ${JSON.stringify(without)}`}>
          <Chip color={color} remove={`Remove the filter ${text}`} onRemove={() => onChange(without)}>
            {text}
          </Chip>
        </li>
      ))}
      <li>
        <Button kind="link" onClick={onClear}>
          Clear all
        </Button>
      </li>
      {children}
    </ul>
  );
