import type { Grupo } from '@balcao/contract/entities/produto'
import { Plus } from 'lucide-react'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Button } from '#shared/ui/button.tsx'
import { FieldError } from '#shared/ui/field.tsx'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { IntegerField } from '#shared/form/integer-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { type GroupDraft, moved, newOpcao, type OpcaoDraft, OPCOES_MAX } from './group-draft.ts'
import { OpcaoRow } from './opcao-row.tsx'
import { RowButtons } from './row-buttons.tsx'

const RULES: SelectProps<Grupo['preco']>['options'] = [
  { valor: 'soma', rotulo: 'Soma tudo' },
  { valor: 'maior', rotulo: 'Cobra o maior' },
  { valor: 'media', rotulo: 'Cobra a média' },
]

const RULE_HINTS: Readonly<Record<Grupo['preco'], string>> = {
  soma: 'Dois adicionais de R$ 3,00 somam R$ 6,00.',
  maior: 'No meio a meio, vale o sabor mais caro.',
  media: 'No meio a meio, vale a metade de cada sabor.',
}

interface GroupFieldsProps {
  readonly grupo: GroupDraft
  /** From 0. */
  readonly index: number
  readonly last: boolean
  readonly errors: FormErrors
  readonly onChange: (fields: Partial<GroupDraft>) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

export function GroupFields({ grupo, index, last, errors, onChange, onMove, onRemove }: GroupFieldsProps) {
  const path = `grupos.${index}`
  const title = grupo.nome.trim() === '' ? `grupo ${index + 1}` : `grupo ${grupo.nome}`
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-card bg-sunken p-3 sm:p-4">
      <legend className="sr-only">{title}</legend>
      <div className="flex flex-wrap items-end justify-end gap-2">
        <div className="min-w-0 flex-1 basis-44">
          <TextField
            label={`Nome do grupo ${index + 1}`}
            name={`${path}.nome`}
            autoComplete="off"
            maxLength={80}
            placeholder="Tamanho, sabores, adicionais…"
            value={grupo.nome}
            error={errors[`${path}.nome`]}
            onChange={({ currentTarget }) => onChange({ nome: currentTarget.value })}
          />
        </div>
        <RowButtons of={title} first={index === 0} last={last} onMove={onMove} onRemove={onRemove} />
      </div>
      <Limits grupo={grupo} path={path} errors={errors} onChange={onChange} />
      <Opcoes grupo={grupo} path={path} errors={errors} onChange={onChange} />
    </fieldset>
  )
}

interface PartProps extends Pick<GroupFieldsProps, 'grupo' | 'errors' | 'onChange'> {
  readonly path: string
}

function Limits({ grupo, path, errors, onChange }: PartProps) {
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <div className="grid grid-cols-2 items-start gap-3">
        <IntegerField
          label="No mínimo"
          name={`${path}.minimo`}
          value={grupo.minimo}
          error={errors[`${path}.minimo`]}
          hint="0: se quiser"
          digits={2}
          onChange={(minimo) => onChange({ minimo })}
        />
        <IntegerField
          label="No máximo"
          name={`${path}.maximo`}
          value={grupo.maximo}
          error={errors[`${path}.maximo`]}
          digits={2}
          onChange={(maximo) => onChange({ maximo })}
        />
      </div>
      <Select
        label="Se escolher mais de uma"
        name={`${path}.preco`}
        hint={RULE_HINTS[grupo.preco]}
        value={grupo.preco}
        options={RULES}
        onChange={(preco) => onChange({ preco })}
      />
    </div>
  )
}

function Opcoes({ grupo, path, errors, onChange }: PartProps) {
  const { opcoes } = grupo
  const put = (id: string, fields: Partial<OpcaoDraft>): void =>
    onChange({ opcoes: opcoes.map((one) => (one.id === id ? { ...one, ...fields } : one)) })
  return (
    <>
      <ol className="grid gap-2">
        {opcoes.map((opcao, index) => (
          <OpcaoRow
            key={opcao.id}
            opcao={opcao}
            path={`${path}.opcoes.${index}`}
            index={index}
            last={index === opcoes.length - 1}
            errors={errors}
            onChange={(fields) => put(opcao.id, fields)}
            onMove={(step) => onChange({ opcoes: moved(opcoes, index, step) })}
            onRemove={() => onChange({ opcoes: opcoes.filter(({ id }) => id !== opcao.id) })}
          />
        ))}
      </ol>
      <FieldError id={`${grupo.id}-erro`} error={errors[`${path}.opcoes`]} />
      <Button
        className="min-h-11 justify-self-start"
        disabled={opcoes.length >= OPCOES_MAX}
        onClick={() => onChange({ opcoes: [...opcoes, newOpcao()] })}
      >
        <Plus size={18} aria-hidden /> Adicionar opção
      </Button>
    </>
  )
}
