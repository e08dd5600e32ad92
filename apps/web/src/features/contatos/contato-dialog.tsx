import { type ReactNode, type SubmitEvent, useState } from 'react'
import { type Contato, OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useContato, useSaveContato } from '#shared/data/contatos/contatos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { customerContact, formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import { useCreateContato } from './use-contatos.ts'
import { NewEtiqueta } from './etiquetas/new-etiqueta.tsx'

interface EtiquetaChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

function EtiquetaChoice({ chosen, onChange }: EtiquetaChoiceProps) {
  const { data: etiquetas = [] } = useEtiquetas()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">Etiquetas</legend>
      {etiquetas.length > 0 && (
        <div className="flex max-h-48 flex-wrap gap-1.5 overflow-y-auto">
          {etiquetas.map(({ id, nome, cor }) => (
            <label
              key={id}
              className="flex min-h-11 max-w-full lg:min-h-10 items-center gap-2 rounded-[10px] border px-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft"
            >
              <input
                type="checkbox"
                className="size-4 flex-none accent-brand"
                checked={chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              <SetorDot cor={cor} className="size-2.5 flex-none" />
              <span className="min-w-0 truncate text-sm font-semibold">{nome}</span>
            </label>
          ))}
        </div>
      )}
      <NewEtiqueta onCreated={({ id }) => onChange([...chosen, id])} />
    </fieldset>
  )
}

export interface ContatoDialogProps {
  /** Null: a new contato. */
  readonly contatoId: string | null
  /** Opens the contato that already has the typed number. */
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

export function ContatoDialog({ contatoId, onOpen, onClose }: ContatoDialogProps) {
  const title = contatoId === null ? 'Novo contato' : 'Editar contato'
  return (
    <Dialog open width="lg" title={title} onClose={onClose}>
      {contatoId === null ? (
        <NewContatoForm onOpen={onOpen} onClose={onClose} />
      ) : (
        <KnownContato id={contatoId} onClose={onClose} />
      )}
    </Dialog>
  )
}

function KnownContato({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = useContato(id)
  return (
    <QueryState query={query} skeleton={<Skeleton className="h-64 w-full" />}>
      {(contato) => <EditContatoForm contato={contato} onClose={onClose} />}
    </QueryState>
  )
}

interface ContatoFields {
  readonly nome: string
  readonly telefone: string
  readonly observacao: string
  readonly etiquetas: readonly string[]
}

type ContatoErrors = Readonly<Partial<Record<'nome' | 'telefone' | 'geral', string>>> & {
  readonly existente?: string | undefined
  /** Saving again confirms the contato. */
  readonly apagado?: boolean
}

function checkContato({ nome, telefone }: ContatoFields, isNew: boolean): ContatoErrors {
  return {
    ...(nome.trim() === '' ? { nome: 'Nome é obrigatório' } : {}),
    ...(isNew && telefone.trim() === '' ? { telefone: 'Informe um telefone com DDD' } : {}),
  }
}

function contatoErrorsOf(error: unknown): ContatoErrors {
  if (!(error instanceof ApiError)) return { geral: errorMessage(error) }
  if (error.codigo === 'contatoExiste') return { telefone: error.message, existente: error.dados.contatoId }
  if (error.codigo === 'contatoApagado') return { telefone: error.message, apagado: true }
  const detail = error.dados.detalhes?.find(({ caminho }) => caminho === 'nome' || caminho === 'telefone')
  if (detail === undefined) return { geral: error.message }
  return detail.caminho === 'nome' ? { nome: detail.mensagem } : { telefone: detail.mensagem }
}

type Save = (fields: ContatoFields, confirmed: boolean) => Promise<void>

function useContatoForm(initial: ContatoFields, isNew: boolean, save: Save) {
  const [fields, setFields] = useState(initial)
  const [errors, setErrors] = useState<ContatoErrors>({})
  const [busy, setBusy] = useState(false)
  useFocusInvalid(errors)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const found = checkContato(fields, isNew)
    setErrors(found)
    if (busy || Object.keys(found).length > 0) return
    setBusy(true)
    try {
      await save(fields, errors.apagado === true)
    } catch (error) {
      setErrors(contatoErrorsOf(error))
    }
    setBusy(false)
  }
  const change = (changed: Partial<ContatoFields>): void => {
    setFields({ ...fields, ...changed })
    setErrors({})
  }
  return { fields, errors, busy, submit, change }
}

function NewContatoForm({ onOpen, onClose }: Pick<ContatoDialogProps, 'onOpen' | 'onClose'>) {
  const { mutateAsync } = useCreateContato()
  const empty = { nome: '', telefone: '', observacao: '', etiquetas: [] }
  const form = useContatoForm(empty, true, async (fields, confirmed) => {
    const { nome } = await mutateAsync({ ...fields, conferirApagado: !confirmed })
    notify.sucesso(`${nome} está nos contatos.`)
    onClose()
  })
  const { existente } = form.errors
  return (
    <ContatoForm form={form} onClose={onClose}>
      <TextField
        label="Telefone"
        type="tel"
        autoComplete="off"
        inputMode="tel"
        required
        value={form.fields.telefone}
        error={form.errors.telefone}
        hint="Com DDD. De outro país, comece com + e o código do país."
        onChange={({ currentTarget }) => form.change({ telefone: currentTarget.value })}
      />
      {existente !== undefined && (
        <div>
          <Button size="touch" onClick={() => onOpen(existente)}>
            Abrir este contato
          </Button>
        </div>
      )}
    </ContatoForm>
  )
}

function EditContatoForm({ contato, onClose }: { readonly contato: Contato; readonly onClose: () => void }) {
  const { id, nome, telefone, observacao, etiquetas, criadoEm, ultimaAtividade } = contato
  const { mutateAsync } = useSaveContato(id)
  const form = useContatoForm({ nome, telefone, observacao, etiquetas }, false, async (fields) => {
    await mutateAsync({ nome: fields.nome, observacao: fields.observacao, etiquetas: fields.etiquetas })
    notify.sucesso('Contato salvo.')
    onClose()
  })
  return (
    <ContatoForm form={form} onClose={onClose}>
      <p className="text-sm text-muted">
        <span className="font-semibold text-ink tabular-nums">{customerContact(contato) || 'Telefone oculto'}</span>
        {' · '}contato desde {formatDate(criadoEm)}, última atividade em {formatDate(ultimaAtividade)}
      </p>
    </ContatoForm>
  )
}

interface ContatoFormProps {
  readonly form: ReturnType<typeof useContatoForm>
  readonly onClose: () => void
  readonly children: ReactNode
}

function ContatoForm({ form: { fields, errors, busy, submit, change }, onClose, children }: ContatoFormProps) {
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextField
        label="Nome"
        ref={initialFocus}
        autoComplete="off"
        required
        maxLength={120}
        value={fields.nome}
        error={errors.nome}
        hint="Este nome vale no lugar do nome que o cliente usa no WhatsApp."
        onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
      />
      {children}
      <EtiquetaChoice chosen={fields.etiquetas} onChange={(etiquetas) => change({ etiquetas })} />
      <Field label="Observação">
        {(link) => (
          <textarea
            {...link}
            rows={4}
            maxLength={OBSERVACAO_MAXIMA}
            className="field"
            value={fields.observacao}
            onChange={({ currentTarget }) => change({ observacao: currentTarget.value })}
          />
        )}
      </Field>
      {errors.geral !== undefined && <Notice tone="erro" title={errors.geral} />}
      <FormActions
        onCancel={onClose}
        busy={busy}
        submitLabel={busy ? 'Salvando…' : errors.apagado === true ? 'Salvar mesmo assim' : 'Salvar'}
      />
    </form>
  )
}
