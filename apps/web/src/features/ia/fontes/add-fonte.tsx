import { type SubmitEvent, useState } from 'react'
import { FileUp } from 'lucide-react'
import type { Fonte } from '@balcao/contract/entities/fonte'
import { ApiError } from '#shared/api-client.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import type { GapDraft } from '#shared/ia/gap-draft.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { SectionChoice } from '#shared/linhas/linha-choice.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import {
  BLANK_FONTE,
  closeFonte,
  FONTE_TIPO_LABEL,
  fonteErrors,
  fonteOfGap,
  type FonteValues,
  type TipoFonte,
} from './fonte-values.ts'
import { useFonteActions } from './use-fonte-actions.ts'

const KINDS: readonly TipoFonte[] = ['texto', 'arquivo', 'site']
const ACCEPT = '.pdf,.docx,.txt,.csv,.html,application/pdf,text/plain,text/csv,text/html'

function refusalOf(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) throw error
  const details = error.dados.detalhes ?? []
  return details.length === 0
    ? { geral: error.message }
    : Object.fromEntries(details.map(({ caminho, mensagem }) => [caminho, mensagem]))
}

function useFonteForm(initial: FonteValues, { onCreated, onClose }: Pick<AddFonteProps, 'onCreated' | 'onClose'>) {
  const { create } = useFonteActions()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FormErrors>({})
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState({})
  useFocusInvalid(refused)
  const refuse = (found: FormErrors): void => {
    setErrors(found)
    setRefused({})
  }
  const send = async (): Promise<void> => {
    const written = closeFonte(values)
    if (written === null) return
    setSaving(true)
    try {
      onCreated(await create(written))
      onClose()
    } catch (error) {
      refuse(refusalOf(error))
    }
    setSaving(false)
  }
  const { titulo, texto, url, arquivo } = values
  const changed = `${titulo}${texto}${url}`.trim() !== '' || arquivo !== null
  return {
    ...{ values, errors, saving, changed },
    ...useLeaveGuard(changed, saving, onClose),
    change: (fields: Partial<FonteValues>): void => {
      setValues((current) => ({ ...current, ...fields }))
      setErrors({})
    },
    submit: (event: SubmitEvent): void => {
      event.preventDefault()
      if (saving) return
      const missing = fonteErrors(values)
      if (Object.keys(missing).length > 0) return refuse(missing)
      void send()
    },
  }
}

type FonteFormState = ReturnType<typeof useFonteForm>

interface AddFonteProps {
  /** A question of customers that the new source answers. */
  readonly draft?: GapDraft | undefined
  readonly onCreated: (fonte: Fonte) => void
  readonly onClose: () => void
}

export function AddFonte({ draft, ...rest }: AddFonteProps) {
  const form = useFonteForm(draft === undefined ? BLANK_FONTE : fonteOfGap(draft), rest)
  const { values, errors, saving, changed, change, submit, tryClose, question } = form
  return (
    <>
      <Dialog open width="lg" title="Nova fonte" hold={changed || saving} onClose={tryClose}>
        <form noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
          {errors['geral'] !== undefined && <Notice tone="erro" title={errors['geral']} />}
          <SectionChoice<TipoFonte>
            label="De onde vem"
            value={values.tipo}
            options={KINDS.map((valor) => ({ valor, rotulo: FONTE_TIPO_LABEL[valor] }))}
            disabled={saving}
            onChange={(tipo) => change({ tipo })}
          />
          <KindFields form={form} />
          <TextField
            label="Vale até (opcional)"
            type="date"
            hint="Depois deste dia a IA não usa mais. Bom para promoções e cardápios da semana."
            value={values.ate}
            error={errors['expiraEm']}
            onChange={({ currentTarget }) => change({ ate: currentTarget.value })}
          />
          <FormActions onCancel={tryClose} busy={saving} submitLabel="Criar fonte" />
        </form>
      </Dialog>
      <LeaveUnsavedDialog guard={question}>O que você escreveu nesta fonte se perde.</LeaveUnsavedDialog>
    </>
  )
}

function KindFields({ form }: { readonly form: FonteFormState }) {
  const { values, errors, change } = form
  switch (values.tipo) {
    case 'texto':
      return (
        <>
          <TitleField form={form} label="Título" />
          <Field label="Texto" error={errors['texto']} hint="Escreva fatos em frases curtas, com preços e prazos.">
            {(link) => (
              <textarea
                {...link}
                name="texto"
                rows={8}
                className="field max-h-96 min-h-40 resize-y"
                placeholder="Trocamos em até 7 dias, com a nota e o produto sem uso."
                value={values.texto}
                onChange={({ currentTarget }) => change({ texto: currentTarget.value })}
              />
            )}
          </Field>
        </>
      )
    case 'site':
      return (
        <TextField
          ref={initialFocus}
          label="Endereço do site"
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          placeholder="loja.com.br"
          hint="Lemos até 200 páginas deste site. Páginas com senha ficam de fora."
          value={values.url}
          error={errors['url']}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      )
    case 'arquivo':
      return (
        <>
          <FileField form={form} />
          <TitleField form={form} label="Título (opcional)" />
        </>
      )
  }
}

function TitleField({ form, label }: { readonly form: FonteFormState; readonly label: string }) {
  const { values, errors, change } = form
  return (
    <TextField
      label={label}
      name="titulo"
      autoComplete="off"
      maxLength={120}
      placeholder="Trocas e devoluções"
      value={values.titulo}
      error={errors['titulo']}
      onChange={({ currentTarget }) => change({ titulo: currentTarget.value })}
    />
  )
}

function FileField({ form: { values, errors, change } }: { readonly form: FonteFormState }) {
  const choose = (file: File | undefined): void => {
    if (file !== undefined) change({ arquivo: file })
  }
  const { sobre, soltar } = useFileDrop(([file]) => choose(file))
  return (
    <Field label="Arquivo" error={errors['arquivo']} hint="PDF, Word (DOCX), texto, CSV ou HTML, até 10 MB.">
      {(link) => (
        <label
          {...soltar}
          className={`grid cursor-pointer place-items-center gap-2 rounded-card border-2 border-dashed p-6 text-center focus-within:outline-2 hover:bg-sunken ${sobre ? 'border-brand bg-brand-soft' : ''}`}
        >
          <FileUp size={24} aria-hidden className="text-muted" />
          <span className="font-semibold break-all">{values.arquivo?.name ?? 'Escolher ou soltar aqui'}</span>
          <input
            {...link}
            type="file"
            accept={ACCEPT}
            className="sr-only"
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        </label>
      )}
    </Field>
  )
}
