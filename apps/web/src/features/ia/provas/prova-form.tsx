import { type SubmitEvent, useState } from 'react'
import type { Prova } from '@balcao/contract/entities/prova'
import { ApiError } from '#shared/api-client.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { closeProva, openProva, provaErrors, type ProvaValues } from './prova-values.ts'
import { useProvaActions } from './use-provas.ts'

const HANDS: SelectProps<ProvaValues['transfere']>['options'] = [
  { valor: 'tanto', rotulo: 'Tanto faz' },
  { valor: 'sim', rotulo: 'Precisa chamar' },
  { valor: 'nao', rotulo: 'Não pode chamar' },
]

function useProvaForm(prova: Prova | null, onClose: () => void) {
  const { create, edit } = useProvaActions()
  const [initial] = useState(() => openProva(prova))
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FormErrors>({})
  const [saving, setSaving] = useState(false)
  useFocusInvalid(errors)
  const send = async (): Promise<void> => {
    setSaving(true)
    try {
      await (prova === null ? create(closeProva(values)) : edit(prova.id, closeProva(values)))
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors({ geral: error.message })
    }
    setSaving(false)
  }
  const changed = JSON.stringify(values) !== JSON.stringify(initial)
  return {
    ...{ values, errors, saving, changed },
    ...useLeaveGuard(changed, saving, onClose),
    change: (fields: Partial<ProvaValues>): void => setValues((current) => ({ ...current, ...fields })),
    submit: (event: SubmitEvent): void => {
      event.preventDefault()
      if (saving) return
      const missing = provaErrors(values)
      setErrors(missing)
      if (Object.keys(missing).length === 0) void send()
    },
  }
}

interface ProvaFormProps {
  readonly prova: Prova | null
  readonly onClose: () => void
}

export function ProvaForm({ prova, onClose }: ProvaFormProps) {
  const { values, errors, saving, changed, change, submit, tryClose, question } = useProvaForm(prova, onClose)
  return (
    <>
      <Dialog
        open
        title={prova === null ? 'Nova pergunta' : 'Editar pergunta'}
        hold={changed || saving}
        onClose={tryClose}
      >
        <form noValidate className="grid gap-4" onSubmit={submit}>
          {errors['geral'] !== undefined && <Notice tone="erro" title={errors['geral']} />}
          <TextField
            ref={initialFocus}
            label="Pergunta do cliente"
            name="pergunta"
            autoComplete="off"
            maxLength={1000}
            placeholder="Quanto custa a coxinha?"
            value={values.pergunta}
            error={errors['pergunta']}
            onChange={({ currentTarget }) => change({ pergunta: currentTarget.value })}
          />
          <LinesField
            label="A resposta precisa ter"
            hint="Um texto por linha. Maiúsculas e acentos não fazem diferença."
            value={values.contem}
            error={errors['contem']}
            onChange={(contem) => change({ contem })}
          />
          <LinesField
            label="A resposta não pode ter"
            hint="Um texto por linha. Pode ficar em branco."
            value={values.naoContem}
            error={errors['naoContem']}
            onChange={(naoContem) => change({ naoContem })}
          />
          <Select
            label="Chamar uma pessoa"
            value={values.transfere}
            options={HANDS}
            onChange={(transfere) => change({ transfere })}
          />
          <Switch
            label="Obrigatória"
            hint="Com as provas exigidas, a IA só é salva se acertar esta."
            on={values.obrigatoria}
            onChange={(obrigatoria) => change({ obrigatoria })}
          />
          <FormActions onCancel={tryClose} busy={saving} submitLabel={prova === null ? 'Criar pergunta' : 'Salvar'} />
        </form>
      </Dialog>
      <LeaveUnsavedDialog guard={question}>O que você escreveu nesta pergunta se perde.</LeaveUnsavedDialog>
    </>
  )
}

interface LinesFieldProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function LinesField({ label, hint, value, error, onChange }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(link) => (
        <textarea
          {...link}
          rows={2}
          className="field field-sizing-content max-h-48 min-h-17 resize-y"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
