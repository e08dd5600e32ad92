import { manutencaoRoute } from '@balcao/contract/routes/sistema'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useSecondFactor } from '#shared/identity/use-second-factor.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Link } from '@tanstack/react-router'
import { TextField } from '#shared/ui/text-field.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { conversasRoute, limparConversasRoute } from '@balcao/contract/routes/registros'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'

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

/** Starts or ends maintenance. Asks for the own password, or by `call` for the second factor of people who have one. */
export function ManutencaoDialog({ active, onClose }: { active: boolean; onClose: () => void }) {
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

interface ClearCounts {
  /** Conversas to delete and to keep. Null with more than 200 conversas. */
  readonly conversas: { readonly vao: number; readonly ficam: number } | null
  readonly agendadas: number
}

function useClearCounts(): ClearCounts | null {
  const { data, error } = useQuery({
    queryKey: QUERY_KEYS.conversasBot,
    queryFn: ({ signal }) => call(conversasRoute, { query: { limite: 200 }, signal }),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
  useEffect(() => {
    if (error !== null) notify.erro(`Erro ao carregar conversas: ${error.message}`)
  }, [error])
  if (data === undefined) return null
  const { agendadas = 0 } = data
  if (data.proximoCursor !== undefined) return { conversas: null, agendadas }
  const ficam = data.conversas.filter(({ ativa, etapa }) => ativa && etapa === 'humano').length
  return { conversas: { vao: data.conversas.length - ficam, ficam }, agendadas }
}

const conversaCount = (count: number): string => (count === 1 ? '1 conversa' : `${count} conversas`)

const scheduledCount = (count: number): string => (count === 1 ? '1 mensagem agendada' : `${count} mensagens agendadas`)

/** Old conversas leave without an act of the owner. */
function RetentionHint({ onClose }: { onClose: () => void }) {
  return (
    <p className="mb-2">
      O Balcão já apaga sozinho as conversas antigas.{' '}
      <Link
        to="/dashboard"
        search={{ aba: 'geral' }}
        hash="lgpd-aviso"
        className="font-semibold text-brand-ink underline"
        onClick={onClose}
      >
        Escolher o prazo em Privacidade
      </Link>
    </p>
  )
}

/** Deletion cannot be undone, so a click alone does not delete. */
const CONFIRM_WORD = 'APAGAR'

export function ClearConversas({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const count = useClearCounts()
  const conversas = count?.conversas ?? undefined
  const [word, setWord] = useState('')

  async function clear(): Promise<void> {
    try {
      const { removidas, agendadas = 0 } = await call(limparConversasRoute, {})
      const deleted = `${conversaCount(removidas)}${agendadas === 0 ? '' : ` e ${scheduledCount(agendadas)}`}`
      notify.sucesso(removidas === 0 ? 'Não havia conversas para limpar.' : `Conversas limpas! ${deleted} a menos.`)
      for (const queryKey of [QUERY_KEYS.mensagensBot, QUERY_KEYS.botStatus, QUERY_KEYS.conversas, QUERY_KEYS.sistema])
        void client.invalidateQueries({ queryKey })
    } catch (cause) {
      notify.erro(`Erro ao limpar conversas: ${errorMessage(cause)}`)
    }
  }

  return (
    <ConfirmDialog
      open
      title="Limpar as conversas?"
      confirmLabel="Limpar conversas"
      ready={word.trim() === CONFIRM_WORD}
      onConfirm={clear}
      onClose={onClose}
    >
      <RetentionHint onClose={onClose} />
      <p>
        As conversas encerradas e as que estão só com o bot são apagadas, com suas mensagens e arquivos. As que esperam
        ou falam com uma pessoa continuam. Não é possível desfazer.
      </p>
      {conversas !== undefined && (
        <p className="mt-2 font-semibold text-ink">
          Agora: {conversaCount(conversas.vao)} para apagar, {conversas.ficam}{' '}
          {conversas.ficam === 1 ? 'continua' : 'continuam'}.
        </p>
      )}
      {count !== null && count.agendadas > 0 && (
        <p className="mt-2 font-semibold text-ink">
          {scheduledCount(count.agendadas)} dessas conversas também {count.agendadas === 1 ? 'sai' : 'saem'}, sem ir ao
          cliente.
        </p>
      )}
      <div className="mt-3 text-ink">
        <TextField
          label={`Para apagar, digite ${CONFIRM_WORD}`}
          autoComplete="off"
          value={word}
          onChange={({ currentTarget }) => setWord(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
