import { type SubmitEvent, useState } from 'react'
import type { Cupom, CupomListado } from '@balcao/contract/entities/cupom'
import { ApiError } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { MoneyField } from '#shared/form/money-field.tsx'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { IntegerField } from '#shared/form/integer-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { closeCupom, cupomErrors, type CupomValues, openCupom } from './cupom-values.ts'
import { useCupomActions } from './use-cupons.ts'

const KINDS: SelectProps<Cupom['tipo']>['options'] = [
  { valor: 'percentual', rotulo: 'Desconto em %' },
  { valor: 'valor', rotulo: 'Desconto em reais' },
  { valor: 'entrega', rotulo: 'Entrega grátis' },
]

/** The refused field of the server's answer, or the sentence for the whole form. */
function refusalOf(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) throw error
  if (error.codigo === 'cupomExiste') return { codigo: error.message }
  const details = error.dados.detalhes ?? []
  return details.length === 0
    ? { geral: errorMessage(error) }
    : Object.fromEntries(details.map(({ caminho, mensagem }) => [caminho, mensagem]))
}

function useCupomForm(cupom: CupomListado | null, onClose: () => void) {
  const { create, edit } = useCupomActions()
  const [initial] = useState(() => openCupom(cupom))
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FormErrors>({})
  const [refused, setRefused] = useState({})
  const [saving, setSaving] = useState(false)
  useFocusInvalid(refused)
  const refuse = (found: FormErrors): void => {
    setErrors(found)
    setRefused({})
  }
  const send = async (): Promise<void> => {
    setSaving(true)
    try {
      const written = closeCupom(values)
      await (cupom === null ? create(written) : edit(cupom.id, written))
      onClose()
    } catch (error) {
      refuse(refusalOf(error))
    }
    setSaving(false)
  }
  const changed = JSON.stringify(values) !== JSON.stringify(initial)
  return {
    ...{ values, errors, saving, changed },
    ...useLeaveGuard(changed, saving, onClose),
    change: (fields: Partial<CupomValues>): void => {
      setValues((current) => ({ ...current, ...fields }))
      setErrors({})
    },
    submit: (event: SubmitEvent): void => {
      event.preventDefault()
      if (saving) return
      const missing = cupomErrors(values)
      if (Object.keys(missing).length > 0) return refuse(missing)
      void send()
    },
  }
}

type CupomFormState = ReturnType<typeof useCupomForm>

interface CupomFormProps {
  readonly cupom: CupomListado | null
  readonly onClose: () => void
}

export function CupomForm({ cupom, onClose }: CupomFormProps) {
  const form = useCupomForm(cupom, onClose)
  const { values, errors, saving, changed, change, submit, tryClose, question } = form
  return (
    <>
      <Dialog
        open
        title={cupom === null ? 'Novo cupom' : `Cupom ${cupom.codigo}`}
        hold={changed || saving}
        onClose={tryClose}
      >
        <form noValidate className="grid gap-4" onSubmit={submit}>
          {errors['geral'] !== undefined && <Notice tone="erro" title={errors['geral']} />}
          <TextField
            ref={cupom === null ? initialFocus : undefined}
            label="Código"
            name="codigo"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            placeholder="VOLTEI10"
            hint="O cliente escreve “cupom” e o código na conversa."
            value={values.codigo}
            error={errors['codigo']}
            onChange={({ currentTarget }) => change({ codigo: currentTarget.value.toUpperCase().replace(/\s/g, '') })}
          />
          <DiscountFields form={form} />
          <LimitFields form={form} />
          <Switch
            label="Valendo"
            hint="Desligado, o bot diz que o cupom não vale mais."
            on={values.ativo}
            onChange={(ativo) => change({ ativo })}
          />
          <FormActions onCancel={tryClose} busy={saving} submitLabel={cupom === null ? 'Criar cupom' : 'Salvar'} />
        </form>
      </Dialog>
      <LeaveUnsavedDialog guard={question}>O que você escreveu neste cupom se perde.</LeaveUnsavedDialog>
    </>
  )
}

function DiscountFields({ form: { values, errors, change } }: { form: CupomFormState }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Select label="O que dá" value={values.tipo} options={KINDS} onChange={(tipo) => change({ tipo })} />
      {values.tipo === 'percentual' && (
        <IntegerField
          label="Quantos %"
          value={values.percentual}
          error={errors['valor']}
          digits={3}
          onChange={(percentual) => change({ percentual })}
        />
      )}
      {values.tipo === 'valor' && (
        <MoneyField
          label="Valor do desconto"
          value={values.valor}
          error={errors['valor']}
          onChange={(valor) => change({ valor })}
        />
      )}
    </div>
  )
}

function LimitFields({ form: { values, errors, change } }: { form: CupomFormState }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <MoneyField
        label="Pedido mínimo"
        hint="Em branco, vale para qualquer pedido."
        value={values.minimo}
        error={errors['minimoCentavos']}
        onChange={(minimo) => change({ minimo })}
      />
      <TextField
        label="Vale até"
        type="date"
        hint="Em branco, não vence."
        value={values.ate}
        error={errors['validoAte']}
        onChange={({ currentTarget }) => change({ ate: currentTarget.value })}
      />
      <IntegerField
        label="Usos ao todo"
        hint="Em branco, sem limite."
        value={values.usos}
        error={errors['usos']}
        digits={6}
        onChange={(usos) => change({ usos })}
      />
      <IntegerField
        label="Usos por cliente"
        hint="Em branco, sem limite."
        value={values.porCliente}
        error={errors['porCliente']}
        digits={6}
        onChange={(porCliente) => change({ porCliente })}
      />
    </div>
  )
}
