import { manutencaoRoute } from '@balcao/contract/routes/sistema'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useSecondFactor } from '#shared/identity/use-second-factor.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'

const EMPTY_SENHA_TEXT = 'Digite a senha para continuar'

const DIALOG_TEXT = {
  iniciar: {
    titulo: 'Iniciar modo de manutenção?',
    explicacao:
      'O bot para de responder. As mensagens dos clientes continuam sendo guardadas, mas não recebem resposta, nem depois da manutenção.',
    botao: 'Iniciar manutenção',
    ocupado: 'Iniciando…',
    feito: 'Modo de manutenção ativado!',
  },
  encerrar: {
    titulo: 'Encerrar modo de manutenção?',
    explicacao: 'O bot volta a responder às mensagens que chegarem a partir de agora.',
    botao: 'Encerrar manutenção',
    ocupado: 'Encerrando…',
    feito: 'Modo de manutenção desativado!',
  },
} as const

export interface ManutencaoDialogProps {
  /** Current state. The dialog offers the opposite. */
  readonly active: boolean
  readonly onClose: () => void
}

/** Starts or ends maintenance. Asks for the own password, or by `call` for the second factor of people who have one. */
export function ManutencaoDialog({ active, onClose }: ManutencaoDialogProps) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [sending, setSending] = useState(false)
  // Fixed at opening: a socket event must not swap the action.
  const [action] = useState<keyof typeof DIALOG_TEXT>(active ? 'encerrar' : 'iniciar')
  const text = DIALOG_TEXT[action]
  const form = useRef<HTMLFormElement>(null)
  const { data: factors } = useSecondFactor()
  const hasFactor = factors !== undefined && (factors.totp || factors.passkeys > 0)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  async function confirm(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const field = event.currentTarget.querySelector('input')
    if (password === '' && !hasFactor) {
      setError(EMPTY_SENHA_TEXT)
      field?.focus()
      return
    }
    setSending(true)
    const proof = hasFactor ? {} : { senha: password }
    try {
      const { manutencao } = await call(manutencaoRoute, { body: { ...proof, ativa: action === 'iniciar' } })
      client.setQueryData<SistemaStatus>(QUERY_KEYS.sistema, (parsed) =>
        parsed === undefined ? undefined : { ...parsed, sistema: { manutencao } },
      )
      notify.sucesso(text.feito)
      onClose()
    } catch (cause) {
      setError(errorMessage(cause))
      notify.erro(`Erro: ${errorMessage(cause)}`)
      setSending(false)
      field?.select()
    }
  }

  return (
    <Dialog open title={text.titulo} onClose={onClose}>
      <form ref={form} noValidate onSubmit={(event) => void confirm(event)} className="grid gap-4">
        <p className="text-muted">{text.explicacao}</p>
        {!hasFactor && (
          <PasswordField
            label="Sua senha"
            hint="A senha com que você entra no painel."
            name="senha"
            autoComplete="current-password"
            value={password}
            error={error}
            readOnly={sending}
            onChange={({ currentTarget }) => {
              setPassword(currentTarget.value)
              setError(undefined)
            }}
          />
        )}
        <FormActions onCancel={onClose} busy={sending} submitLabel={sending ? text.ocupado : text.botao} />
      </form>
    </Dialog>
  )
}
