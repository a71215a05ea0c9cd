import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { tagsPerLink } from '../../../../lambdas/core/limits.ts';
import { useMay } from '../../service/queries.ts';
import { createTag, nextColour } from '../../service/tags.ts';
import type { LinkTag } from '../../service/types.ts';
import { Button } from '../button.tsx';
import { Icon } from '../icons.tsx';
import { useChange } from '../kit/change.tsx';
import { Dot } from '../kit/chip.tsx';
import { moveFocus, showBeside } from '../menu.tsx';

type TagPickerProps = {
  readonly label: string;
  readonly tags: readonly LinkTag[];
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /**
   * The text of the button that confirms the choice, for a number of tags; without it, each choice is applied at once.
   */
  readonly confirm?: (chosen: number) => string;
  /** What to say if there are no tags. */
  readonly none?: string;
  readonly className?: string;
  /** Whether a new name can create a tag, with the permission. */
  readonly canCreate?: boolean;
};

/** How many tags are shown at once. Others are found by name. */
const mostShown = 50;

/**
 * The arrows move in the list, also from the field, where Home and End move the caret. Tab stays within the open list:
 * behind it, nobody would see the focus, and Esc would not bring it back.
 */
function moveWithin(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('input:enabled, button:enabled')];
  const isInField = document.activeElement === all[0];
  if (event.key !== 'Tab') {
    if (!event.nativeEvent.isComposing && !(isInField && /^(Home|End)$/.test(event.key))) moveFocus(event, all);
    return;
  }
  const [end, start] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  const isAtEnd = document.activeElement === end || (event.shiftKey && document.activeElement === event.currentTarget);
  if (!isAtEnd) return;
  event.preventDefault();
  start?.focus();
}

/** A button that opens a list of tags to choose from. Chosen tags stay in it during a search. */
export function TagPicker(props: TagPickerProps) {
  const { label, tags, confirm, none = 'No tags yet.', className = 'button', canCreate = false } = props;
  const { isBusy, wrong, note, run, forget } = useChange('tags:write', ['name']);
  const mayCreate = useMay('tags:write') && canCreate;
  const [picked, pick] = useState(props.chosen);
  const chosen = confirm ? picked : props.chosen;
  const [isOpen, open] = useState(false);
  const [text, setText] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen || !panel.current || !opener.current) return;
    showBeside(opener.current, panel.current);
    panel.current.querySelector('input')?.focus();
  }, [isOpen]);
  const wanted = text.trim().toLowerCase();
  const found = tags.filter((tag) => chosen.includes(tag.id) || tag.name.toLowerCase().includes(wanted));
  // The current choice when a new tag has been created, which takes a moment.
  const latest = useRef(props);
  latest.current = props;
  const toggle = (tag: string) => {
    const change = (now: readonly string[]) => (now.includes(tag) ? now.filter((one) => one !== tag) : [...now, tag]);
    if (confirm) pick(change);
    else latest.current.onChange(change(latest.current.chosen));
  };
  const isFull = chosen.length >= tagsPerLink;
  const newName = text.trim();
  const isNew = mayCreate && newName !== '' && !tags.some(({ name }) => name.toLowerCase() === newName.toLowerCase());
  const create = () =>
    run(async (say) => {
      const { id: made } = await createTag({ name: newName, color: nextColour() }, say);
      toggle(made);
      setText('');
      return {};
    });
  return (
    <>
      <Button
        kind="bare"
        ref={opener}
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => open(!isOpen)}
      >
        {label} <Icon name="chevron" />
      </Button>
      {isOpen && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label="Tags"
          className="menu picker"
          popover="auto"
          // Keeps the focus inside if somebody presses beside its controls.
          tabIndex={-1}
          onToggle={(event) => event.newState === 'closed' && open(false)}
          onKeyDown={(event) => {
            moveWithin(event);
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            open(false);
            opener.current?.focus();
          }}
        >
          <input
            type="search"
            aria-label={mayCreate ? 'Find or create a tag' : 'Find a tag'}
            placeholder={mayCreate ? 'Find or create a tag' : 'Find a tag'}
            value={text}
            onChange={(event) => {
              forget();
              setText(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              // Enter would submit the surrounding form.
              event.preventDefault();
              const [only, ...more] = found.filter(({ name }) => name.toLowerCase().includes(wanted));
              if (isNew && !isBusy) void create();
              else if (only && more.length === 0 && wanted !== '') toggle(only.id);
            }}
          />
          <div className="picker-list">
            {found.slice(0, mostShown).map((tag) => (
              <label key={tag.id} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(tag.id)}
                  disabled={!chosen.includes(tag.id) && isFull}
                  onChange={() => toggle(tag.id)}
                />
                <Dot color={tag.color} />
                <bdi className="cut">{tag.name}</bdi>
              </label>
            ))}
            {found.length === 0 && !isNew && <p className="small">{tags.length === 0 ? none : 'No tag has this name.'}</p>}
            {isNew && (
              <Button disabled={isBusy || isFull} onClick={create}>
                Create “<bdi className="cut">{newName}</bdi>”
              </Button>
            )}
            {wrong.name !== undefined && <p className="field-error">The name {wrong.name}.</p>}
            {note}
            {found.length > mostShown && <p className="small">Type to find {found.length - mostShown} more.</p>}
          </div>
          {confirm && picked.length > 0 && (
            <Button
              kind="primary"
              onClick={() => {
                open(false);
                pick(props.chosen);
                props.onChange(picked);
              }}
            >
              {confirm(picked.length)}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
