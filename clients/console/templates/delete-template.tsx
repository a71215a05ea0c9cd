import { Confirm } from '../parts/kit/confirm.tsx';
import { templateAt } from '../service/resources.ts';
import type { Template } from '../service/types.ts';

type DeleteTemplateProps = { readonly template: Template; readonly onClose: () => void };

export const DeleteTemplate = ({ template: { id, name }, onClose }: DeleteTemplateProps) => (
  <Confirm
    title={`Delete the template ${name}?`}
    action="Delete template"
    permission="tags:write"
    onClose={onClose}
    run={async (say) => {
      await templateAt(id).remove(say);
      return { text: `The template ${name} is deleted.` };
    }}
  >
    <p>Links that were made with it stay as they are. You cannot undo this.</p>
  </Confirm>
);
