import { Confirm } from '../parts/kit/confirm.tsx';
import type { Say } from '../service/patience.ts';
import { templateAt } from '../service/resources.ts';
import type { Template } from '../service/types.ts';
import { createAgain } from './create.ts';

type DeleteTemplateProps = { readonly template: Template; readonly onClose: () => void };

export const DeleteTemplate = ({ template, onClose }: DeleteTemplateProps) => {
  const { id, name } = template;
  const undo = async (say: Say) => {
    await createAgain(template, say);
    return { text: `The template ${name} is back.` };
  };
  return (
    <Confirm
      title={`Delete the template ${name}?`}
      action="Delete template"
      permission="tags:write"
      onClose={onClose}
      run={async (say) => {
        await templateAt(id).remove(say);
        return { text: `The template ${name} is deleted.`, undo };
      }}
    >
      <p>Links that were made with it stay as they are.</p>
    </Confirm>
  );
};
