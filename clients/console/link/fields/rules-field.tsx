import { useRef } from 'react';
import { rulesPerLink } from '../../../../lambdas/core/limits.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Field } from '../../parts/kit/field.tsx';
import { Select } from '../../parts/kit/select.tsx';
import { UrlInput } from '../../parts/kit/url-input.tsx';
import { type Failure, wrongAt } from '../../service/failures.ts';
import { ConditionField, conditionLabels } from './condition-field.tsx';
import { conditionNames, emptyCondition, isKnown, moved, type RuleValue } from './routing.ts';

type RulesProps = {
  readonly rules: readonly RuleValue[];
  readonly onChange: (rules: readonly RuleValue[]) => void;
  readonly paths: Failure['paths'];
};

/** Rules that send some visitors elsewhere. The first rule whose conditions are all met applies. */
export function RulesField({ rules, onChange, paths }: RulesProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  /** Moves the focus to what a button has added or moved. */
  const focusOn = (selector: string) => requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const set = (index: number, rule: RuleValue) => onChange(rules.with(index, rule));
  const move = (index: number, by: -1 | 1) => {
    onChange(moved(rules, index, by));
    const isAtEnd = index + by === (by < 0 ? 0 : rules.length - 1);
    const button = isAtEnd ? (by < 0 ? 'down' : 'up') : by < 0 ? 'up' : 'down';
    focusOn(`[data-rule="${index + by}"] [data-move="${button}"]`);
  };
  return (
    <fieldset ref={list} className="routing">
      <legend className="label">Rules</legend>
      <p className="small">Send some visitors elsewhere, by country, device and more. The first rule that matches decides.</p>
      {rules.map((rule, index) => (
        <RuleField
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the list
          key={index}
          rule={rule}
          index={index}
          isLast={index === rules.length - 1}
          paths={paths}
          onChange={(next) => set(index, next)}
          onMove={(by) => move(index, by)}
          onRemove={() => {
            onChange(rules.toSpliced(index, 1));
            focusOn('[data-add-rule]');
          }}
        />
      ))}
      {paths.rules !== undefined && <p className="field-error">The rules {paths.rules}.</p>}
      <p className="actions">
        <Button
          data-add-rule=""
          disabled={rules.length >= rulesPerLink}
          onClick={() => {
            onChange([...rules, { url: '', conditions: [emptyCondition('country')], rest: {} }]);
            focusOn(`[data-rule="${rules.length}"] select`);
          }}
        >
          Add a rule
        </Button>
      </p>
    </fieldset>
  );
}

type RuleProps = {
  readonly rule: RuleValue;
  readonly index: number;
  readonly isLast: boolean;
  readonly paths: Failure['paths'];
  readonly onChange: (rule: RuleValue) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

function RuleField({ rule, index, isLast, paths, onChange, onMove, onRemove }: RuleProps) {
  const name = `Rule ${index + 1}`;
  const at = `rules/${index}`;
  const free = conditionNames.filter((one) => !rule.conditions.some((condition) => condition.name === one));
  const [next] = free;
  const set = (conditions: RuleValue['conditions']) => onChange({ ...rule, conditions });
  return (
    <fieldset className="rule" data-rule={index}>
      <legend className="hidden">{name}</legend>
      <p className="rule-head">
        <strong aria-hidden="true">{name}</strong>
        <span className="spacer" />
        <IconButton icon="up" label={`Move ${name} up`} data-move="up" disabled={index === 0} onClick={() => onMove(-1)} />
        <IconButton icon="chevron" label={`Move ${name} down`} data-move="down" disabled={isLast} onClick={() => onMove(1)} />
        <IconButton icon="close" label={`Remove ${name}`} onClick={onRemove} />
      </p>
      {rule.conditions.map((condition, number) => (
        <div key={condition.name} className="condition">
          {isKnown(condition.name) ? (
            <Select
              aria-label={`Condition ${number + 1} of ${name}`}
              value={condition.name}
              options={conditionNames
                .filter((one) => one === condition.name || free.includes(one))
                .map((one) => [one, conditionLabels[one]])}
              onChoose={(one) => set(rule.conditions.with(number, emptyCondition(one)))}
            />
          ) : (
            <span className="mono">{condition.name}</span>
          )}
          <ConditionField
            condition={condition}
            label={`${name}: ${isKnown(condition.name) ? conditionLabels[condition.name] : condition.name}`}
            message={wrongAt(paths, `${at}/if/${condition.name}`)}
            onChange={(value) => set(rule.conditions.with(number, { ...condition, value }))}
          />
          <IconButton
            icon="close"
            label={`Remove condition ${number + 1} of ${name}`}
            onClick={() => set(rule.conditions.toSpliced(number, 1))}
          />
        </div>
      ))}
      {next !== undefined && (
        <p>
          <Button kind="link" onClick={() => set([...rule.conditions, emptyCondition(next)])}>
            Add a condition
          </Button>
        </p>
      )}
      {paths[`${at}/if`] !== undefined && (
        <p className="field-error">
          {name} {paths[`${at}/if`]}.
        </p>
      )}
      <Field label="Go to" message={wrongAt(paths, `${at}/url`)}>
        {(described) => (
          <UrlInput {...described} placeholder="https://" value={rule.url} onText={(url) => onChange({ ...rule, url })} />
        )}
      </Field>
    </fieldset>
  );
}
