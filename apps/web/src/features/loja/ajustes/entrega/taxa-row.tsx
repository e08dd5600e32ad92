import { Trash2 } from 'lucide-react'
import { MoneyField } from '#shared/form/money-field.tsx'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { formatCep, type TaxaDraft } from './taxas.ts'

interface TaxaRowProps {
  readonly taxa: TaxaDraft
  /** From 0. */
  readonly index: number
  readonly errors: FormErrors
  readonly onChange: (fields: Partial<TaxaDraft>) => void
  readonly onRemove: () => void
}

export function TaxaRow({ taxa, index, errors, onChange, onRemove }: TaxaRowProps) {
  const { tipo, bairro, cepDe, cepAte } = taxa
  const errorOf = (field: string): string | undefined => errors[`entrega.taxas.${index}.${field}`]
  return (
    <li className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
        {tipo === 'bairro' ? (
          <PlaceField
            label={`Bairro da taxa ${index + 1}`}
            placeholder="Bairro"
            value={bairro}
            error={errorOf('bairro')}
            onType={(value) => onChange({ bairro: value })}
          />
        ) : (
          <div className="grid grid-cols-2 gap-2">
            <PlaceField
              cep
              label={`Primeiro CEP da taxa ${index + 1}`}
              placeholder="Do CEP"
              value={cepDe}
              error={errorOf('cepDe')}
              onType={(value) => onChange({ cepDe: formatCep(value) })}
            />
            <PlaceField
              cep
              label={`Último CEP da taxa ${index + 1}`}
              placeholder="Até o CEP"
              value={cepAte}
              error={errorOf('cepAte')}
              onType={(value) => onChange({ cepAte: formatCep(value) })}
            />
          </div>
        )}
        <MoneyField
          hideLabel
          label={`Valor da taxa ${index + 1}`}
          value={taxa.taxa}
          error={errorOf('centavos')}
          onChange={(typed) => onChange({ taxa: typed })}
        />
      </div>
      <IconButton
        label={`Remover a taxa ${index + 1}`}
        tooltip={false}
        size="touch"
        icon={<Trash2 size={18} aria-hidden />}
        onClick={onRemove}
      />
    </li>
  )
}

interface PlaceFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly error: string | undefined
  readonly cep?: boolean
  readonly onType: (value: string) => void
}

function PlaceField({ label, placeholder, value, error, cep = false, onType }: PlaceFieldProps) {
  return (
    <Field hideLabel label={label} error={error}>
      {(link) => (
        <input
          {...link}
          className="field"
          autoComplete="off"
          inputMode={cep ? 'numeric' : 'text'}
          maxLength={cep ? 9 : 80}
          placeholder={placeholder}
          value={value}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
        />
      )}
    </Field>
  )
}
