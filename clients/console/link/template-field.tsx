import { SelectField } from '../parts/kit/field.tsx';
import type { Template } from '../service/types.ts';
import { besidesText } from './fields/template.ts';

type TemplateFieldProps = {
  readonly templates: readonly Template[];
  readonly chosen: Template | undefined;
  readonly message: string | undefined;
  readonly onChoose: (template: Template | undefined) => void;
};

/** A choice of the template for a new link, if the workspace has any, and the effects that no field shows. */
export const TemplateField = ({ templates, chosen, message, onChoose }: TemplateFieldProps) =>
  templates.length > 0 && (
    <SelectField
      label="Template"
      message={message}
      hint={chosen && `Fills in fields below. What you change there wins. ${besidesText(chosen)}`}
      value={chosen?.id ?? ''}
      options={[['', 'None'], ...templates.map(({ id, name }) => [id, name] as const)]}
      onChoose={(id) => onChoose(templates.find((one) => one.id === id))}
    />
  );
