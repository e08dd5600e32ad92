import type { Contato } from '@balcao/contract/entities/contato'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { customerContact } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Notice } from '#shared/ui/notice.tsx'

export interface WriteDialogProps {
  readonly contato: Contato
  readonly onClose: () => void
}

interface WriteFailure {
  readonly text: string
  /** The open conversa with people, if the refusal names one. */
  readonly conversaId?: string | undefined
}

const failureOf = (error: unknown): WriteFailure => ({
  text: errorMessage(error),
  ...(error instanceof ApiError ? { conversaId: error.dados.conversaId } : {}),
})

/** Opens a conversa with the contato and gives it to the caller. The message may stay empty. */
export function WriteDialog({ contato, onClose }: WriteDialogProps) {
  const navigate = useNavigate()
  const [texto, setTexto] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<WriteFailure | null>(null)
  const openChat = (c: string): void => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c } })
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const mensagem = texto.trim()
    try {
      const body = { contatoId: contato.id, ...(mensagem === '' ? {} : { mensagem }) }
      const { conversa } = await call(iniciarConversaRoute, { body })
      openChat(conversa.id)
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  const conversaId = failure?.conversaId
  return (
    <Dialog open title={`Escrever para ${contato.nome || customerContact(contato) || 'o cliente'}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void send(event)}>
        {contato.pediuParada === true && (
          <Notice tone="espera" title="Este cliente pediu para não receber mensagens automáticas.">
            Escreva só se ele espera a sua resposta.
          </Notice>
        )}
        {failure !== null && (
          <Notice tone="erro" title={failure.text}>
            {conversaId !== undefined && (
              <Button size="touch" onClick={() => openChat(conversaId)}>
                Abrir conversa
              </Button>
            )}
          </Notice>
        )}
        <Field label="Mensagem" hint="Em branco, a conversa só abre com você.">
          {(link) => (
            <textarea
              {...link}
              rows={4}
              maxLength={TEXTO_MAXIMO}
              className="field"
              value={texto}
              onChange={({ currentTarget }) => setTexto(currentTarget.value)}
            />
          )}
        </Field>
        <FormActions onCancel={onClose} busy={busy} submitLabel={texto.trim() === '' ? 'Abrir conversa' : 'Enviar'} />
      </form>
    </Dialog>
  )
}
