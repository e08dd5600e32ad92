import { Pizza, Plus } from 'lucide-react'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Button } from '#shared/ui/button.tsx'
import { GroupFields } from './group-fields.tsx'
import { type GroupDraft, GROUPS_MAX, halfAndHalf, moved, newGroup } from './group-draft.ts'

interface GroupEditorProps {
  readonly grupos: readonly GroupDraft[]
  readonly errors: FormErrors
  readonly onChange: (grupos: readonly GroupDraft[]) => void
}

export function GroupEditor({ grupos, errors, onChange }: GroupEditorProps) {
  const full = grupos.length >= GROUPS_MAX
  return (
    <section aria-label="Opções do produto" className="grid gap-3">
      <div>
        <h3 className="font-bold">Opções</h3>
        <p className="text-sm text-muted">
          Tamanho, sabor, adicional: o bot pergunta cada grupo, na ordem, antes de pôr o produto no pedido.
        </p>
      </div>
      {grupos.map((grupo, index) => (
        <GroupFields
          key={grupo.id}
          grupo={grupo}
          index={index}
          last={index === grupos.length - 1}
          errors={errors}
          onChange={(fields) => onChange(grupos.map((one) => (one.id === grupo.id ? { ...one, ...fields } : one)))}
          onMove={(step) => onChange(moved(grupos, index, step))}
          onRemove={() => onChange(grupos.filter(({ id }) => id !== grupo.id))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button className="min-h-11" disabled={full} onClick={() => onChange([...grupos, newGroup()])}>
          <Plus size={18} aria-hidden /> Adicionar grupo
        </Button>
        <Button className="min-h-11" disabled={full} onClick={() => onChange([...grupos, halfAndHalf()])}>
          <Pizza size={18} aria-hidden /> Meio a meio
        </Button>
      </div>
    </section>
  )
}
