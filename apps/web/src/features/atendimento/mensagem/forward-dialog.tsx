import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { encaminharMensagemRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { openConversas } from '@balcao/contract/sync/known-conversas'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { useEffect, useRef, useState } from 'react'
import { isTakenByOther } from '#features/atendimento/envio/use-send.ts'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useKnownConversas } from '#shared/data/conversas/known-conversas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { refusedText } from '#shared/data/batch-result.ts'
import { customerContact } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'

const TARGETS_MAX = 5
/** More rows are found by typing. */
const SHOWN_MAX = 50

function useTargets(conversaId: string, typed: string): readonly Conversa[] {
  const { id: myId } = useUsuario()
  const words = foldAccents(typed.trim())
  return openConversas(useKnownConversas())
    .filter((conversa) => conversa.id !== conversaId && !isTakenByOther(conversa, myId))
    .filter(({ cliente }) => foldAccents(`${cliente.nome} ${customerContact(cliente)}`).includes(words))
    .slice(0, SHOWN_MAX)
}

interface TargetRowProps {
  readonly conversa: Conversa
  readonly checked: boolean
  readonly disabled: boolean
  readonly onChange: () => void
}

function TargetRow({ conversa: { cliente }, checked, disabled, onChange }: TargetRowProps) {
  return (
    <li className="rounded-xl border px-3 py-3 hover:bg-sunken">
      <Checkbox
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        label={
          <>
            <b>{cliente.nome}</b> <span className="text-muted">{customerContact(cliente)}</span>
          </>
        }
      />
    </li>
  )
}

export interface ForwardDialogProps {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly onClose: () => void
}

function useForward({ mensagem: { id }, onClose }: ForwardDialogProps) {
  const { byId } = useKnownConversas()
  const [sending, setSending] = useState(false)
  const nameOf = (conversaId: string): string => byId.get(conversaId)?.cliente.nome ?? 'Conversa'
  const forward = async (conversaIds: readonly string[]): Promise<void> => {
    setSending(true)
    try {
      const result = await call(encaminharMensagemRoute, { params: { id }, body: { conversaIds: [...conversaIds] } })
      const done = result.feitas.map(nameOf)
      if (done.length > 0) notify.sucesso(`Encaminhada para ${done.join(', ')}.`)
      if (result.recusadas.length > 0) notify.erro(`Não encaminhada.\n${refusedText(result, nameOf)}`)
      onClose()
    } catch (error) {
      notify.erro(`Erro ao encaminhar mensagem: ${errorMessage(error)}`)
      setSending(false)
    }
  }
  return { sending, forward }
}

export function ForwardDialog(props: ForwardDialogProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const targets = useTargets(props.conversaId, typed)
  const { sending, forward } = useForward(props)
  // Runs after the dialog opened. On touch the keyboard would cover the list.
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) search.current?.focus()
  }, [])
  const toggle = (id: string): void =>
    setChosen((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]))
  return (
    <Dialog open title="Encaminhar mensagem" onClose={props.onClose}>
      <div className="grid gap-3">
        <Field label="Para quem" hint={`Até ${TARGETS_MAX} conversas abertas.`}>
          {(link) => (
            <input
              {...link}
              type="search"
              ref={search}
              placeholder="Nome ou telefone"
              className="field"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        {targets.length === 0 && <p className="text-muted">Nenhuma conversa aberta com este nome.</p>}
        <ul className="grid max-h-[40dvh] gap-1.5 overflow-y-auto" aria-label="Conversas">
          {targets.map((conversa) => (
            <TargetRow
              key={conversa.id}
              conversa={conversa}
              checked={chosen.includes(conversa.id)}
              disabled={chosen.length >= TARGETS_MAX && !chosen.includes(conversa.id)}
              onChange={() => toggle(conversa.id)}
            />
          ))}
        </ul>
        <Button
          variant="primary"
          size="touch"
          busy={sending}
          disabled={chosen.length === 0}
          onClick={() => void forward(chosen)}
        >
          {chosen.length > 1 ? `Encaminhar para ${chosen.length} conversas` : 'Encaminhar'}
        </Button>
      </div>
    </Dialog>
  )
}
