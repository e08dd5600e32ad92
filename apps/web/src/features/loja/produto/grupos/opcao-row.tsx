import { MoneyField } from '#shared/form/money-field.tsx'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { Field } from '#shared/ui/field.tsx'
import type { OpcaoDraft } from './group-draft.ts'
import { RowButtons } from './row-buttons.tsx'

interface OpcaoRowProps {
  readonly opcao: OpcaoDraft
  readonly path: string
  /** From 0. */
  readonly index: number
  readonly last: boolean
  readonly errors: FormErrors
  readonly onChange: (fields: Partial<OpcaoDraft>) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

export function OpcaoRow({ opcao, path, index, last, errors, onChange, onMove, onRemove }: OpcaoRowProps) {
  const { nome, acrescimo, ativa } = opcao
  const title = nome.trim() === '' ? `opção ${index + 1}` : `opção ${nome}`
  return (
    <li className="grid gap-2 rounded-xl border p-3">
      <div className="grid items-start gap-2 sm:grid-cols-2">
        <Field hideLabel label={`Nome da opção ${index + 1}`} error={errors[`${path}.nome`]}>
          {(link) => (
            <input
              {...link}
              name={`${path}.nome`}
              className="field"
              autoComplete="off"
              maxLength={80}
              placeholder={`Opção ${index + 1}`}
              value={nome}
              onChange={({ currentTarget }) => onChange({ nome: currentTarget.value })}
            />
          )}
        </Field>
        <MoneyField
          hideLabel
          label={`Acréscimo da opção ${index + 1}`}
          name={`${path}.acrescimoCentavos`}
          value={acrescimo}
          error={errors[`${path}.acrescimoCentavos`]}
          onChange={(typed) => onChange({ acrescimo: typed })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Checkbox
          label="Disponível"
          aria-label={`Disponível: ${title}`}
          checked={ativa}
          onChange={({ currentTarget }) => onChange({ ativa: currentTarget.checked })}
        />
        <RowButtons of={title} first={index === 0} last={last} onMove={onMove} onRemove={onRemove} />
      </div>
    </li>
  )
}
