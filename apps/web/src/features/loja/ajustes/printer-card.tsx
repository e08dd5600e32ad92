import { useMutation, useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import { impressoraRoute, testarImpressoraRoute } from '@balcao/contract/routes/impressora'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { IntegerField } from '#shared/form/integer-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

type Impressora = LojaConfig['impressora']

export interface PrinterCardProps {
  readonly value: Impressora
  readonly onChange: (value: Impressora) => void
  /** By the name of the field: `endereco`, `porta`. */
  readonly errors?: Readonly<Record<string, string | undefined>>
}

const PAPERS = [
  { valor: '48', rotulo: '80 mm (48 letras)' },
  { valor: '32', rotulo: '58 mm (32 letras)' },
] as const

/** The printer of the kitchen. Only servers whose administrator allows it can print; the others say so. */
export function PrinterCard({ value, onChange, errors = {} }: PrinterCardProps) {
  const { data, error } = useQuery({
    queryKey: ['loja', 'impressora'],
    queryFn: ({ signal }) => call(impressoraRoute, { signal }),
    networkMode: 'always',
  })
  const change = (fields: Partial<Impressora>): void => onChange({ ...value, ...fields })
  const forbidden = data?.disponivel === false
  return (
    <Card aria-label="Impressora da cozinha" className="grid gap-4">
      <Switch
        label="Imprimir os pedidos na cozinha"
        hint="Cada pedido novo sai sozinho na impressora térmica da rede da loja."
        on={value.ativa}
        disabled={forbidden && !value.ativa}
        onChange={(ativa) => change({ ativa })}
      />
      {forbidden && (
        <p className="text-sm text-muted">
          Este servidor ainda não imprime na rede da loja. Peça ao administrador para liberar.
        </p>
      )}
      {error !== null && <p className="text-sm text-danger-ink">{errorMessage(error)}</p>}
      {value.ativa && (
        <>
          <PrinterFields value={value} errors={errors} onChange={change} />
          <PrintTest value={value} disabled={data?.disponivel !== true} />
        </>
      )}
    </Card>
  )
}

interface PrinterFieldsProps {
  readonly value: Impressora
  readonly errors: Readonly<Record<string, string | undefined>>
  readonly onChange: (fields: Partial<Impressora>) => void
}

function PrinterFields({ value, errors, onChange }: PrinterFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Endereço da impressora"
        name="impressora.endereco"
        autoComplete="off"
        placeholder="192.168.0.50"
        maxLength={45}
        value={value.endereco}
        error={errors['endereco']}
        hint="Números e pontos, como na página de teste que a impressora imprime."
        onChange={({ currentTarget }) => onChange({ endereco: currentTarget.value.trim() })}
      />
      <IntegerField
        label="Porta"
        name="impressora.porta"
        value={String(value.porta)}
        error={errors['porta']}
        hint="Quase sempre 9100."
        digits={5}
        onChange={(porta) => onChange({ porta: Number(porta) })}
      />
      <Select
        label="Papel"
        value={value.largura === 32 ? '32' : '48'}
        options={PAPERS}
        onChange={(paper) => onChange({ largura: paper === '32' ? 32 : 48 })}
      />
    </div>
  )
}

function PrintTest({ value, disabled }: { readonly value: Impressora; readonly disabled: boolean }) {
  const { endereco, porta, largura } = value
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(testarImpressoraRoute, { body: { endereco, porta, largura } }),
    onSuccess: () => notify.sucesso('Teste enviado. Veja se o papel saiu.'),
    onError: (error) => notify.erro(errorMessage(error)),
  })
  return (
    <div>
      <Button size="touch" busy={isPending} disabled={disabled || endereco === ''} onClick={() => mutate()}>
        <Printer size={18} aria-hidden /> Imprimir teste
      </Button>
    </div>
  )
}
