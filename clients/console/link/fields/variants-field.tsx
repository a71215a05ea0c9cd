import { useRef } from 'react';
import { mostWeight, variantsPerLink } from '../../../../lambdas/core/limits.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Field, TextField } from '../../parts/kit/field.tsx';
import { UrlInput } from '../../parts/kit/url-input.tsx';
import { type Failure, wrongAt } from '../../service/failures.ts';
import { shareOf, type VariantValue, withVariant } from './routing.ts';

type VariantsProps = {
  readonly variants: readonly VariantValue[];
  /** The destination of the link, which the first variant gets. */
  readonly url: string;
  readonly onChange: (variants: readonly VariantValue[]) => void;
  readonly paths: Failure['paths'];
};

/** Destinations among which visitors are divided by weight. */
export function VariantsField({ variants, url, onChange, paths }: VariantsProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const focusOn = (selector: string) => requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const { least, most } = variantsPerLink;
  return (
    <fieldset ref={list} className="routing">
      <legend className="label">A/B test</legend>
      <p className="small">
        Visitors who match no rule are split among several addresses. Each visitor always gets the same one.
        {variants.length > 0 && variants.length < least && ` It needs at least ${least} variants, or none.`}
      </p>
      {variants.map((variant, index) => (
        <VariantField
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while somebody types
          key={index}
          variant={variant}
          index={index}
          share={shareOf(variant, variants)}
          paths={paths}
          onChange={(next) => onChange(variants.with(index, next))}
          onRemove={() => {
            onChange(variants.toSpliced(index, 1));
            focusOn('[data-add-variant]');
          }}
        />
      ))}
      {paths.variants !== undefined && <p className="field-error">The variants {paths.variants}.</p>}
      <p className="actions">
        <Button
          data-add-variant=""
          disabled={variants.length >= most}
          onClick={() => {
            const next = withVariant(variants, url);
            onChange(next);
            focusOn(`[data-variant="${next.length - 1}"] input[type=url]`);
          }}
        >
          {variants.length === 0 ? 'Start an A/B test' : 'Add a variant'}
        </Button>
      </p>
    </fieldset>
  );
}

type VariantProps = {
  readonly variant: VariantValue;
  readonly index: number;
  readonly share: number | undefined;
  readonly paths: Failure['paths'];
  readonly onChange: (variant: VariantValue) => void;
  readonly onRemove: () => void;
};

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

function VariantField({ variant, index, share, paths, onChange, onRemove }: VariantProps) {
  const wrong = (field: string) => wrongAt(paths, `variants/${index}/${field}`);
  return (
    <fieldset className="variant" data-variant={index}>
      <legend className="hidden">Variant {index + 1}</legend>
      <TextField
        label="Name"
        message={wrong('id')}
        className="mono"
        autoCapitalize="off"
        spellCheck={false}
        value={variant.id}
        onText={(id) => onChange({ ...variant, id })}
      />
      <TextField
        label={share === undefined ? 'Weight' : `Weight (${percent.format(share)})`}
        message={wrong('weight')}
        type="number"
        inputMode="numeric"
        min={0}
        max={mostWeight}
        value={variant.weight}
        onText={(weight) => onChange({ ...variant, weight })}
      />
      <IconButton icon="close" label={`Remove variant ${index + 1}`} onClick={onRemove} />
      <Field label="Go to" message={wrong('url')}>
        {(described) => (
          <UrlInput {...described} placeholder="https://" value={variant.url} onText={(url) => onChange({ ...variant, url })} />
        )}
      </Field>
    </fieldset>
  );
}
